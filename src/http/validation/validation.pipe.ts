import {
  applyDecorators,
  type ArgumentMetadata,
  type CanActivate,
  type ExecutionContext,
  Injectable,
  ValidationPipe,
} from '@nestjs/common';
import { ApiSchema } from '@nestjs/swagger';
import { getMetadataStorage, type ValidatorOptions } from 'class-validator';
import { Config } from '../../shared/config/config.js';
import { readJsonBody } from '../../shared/fields/json-body.js';
import {
  isFields,
  textTransformsOf,
  transformed,
  withoutNulls,
  withoutSentFields,
} from '../../shared/fields/request.decorators.js';
import { notAnObject, toRejection, unknownFields } from '../../shared/errors/validation-error.js';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Maximum size of a request body, in bytes. */
export const BODY_LIMIT = 16 * 1024;

/** Makes JSON the only accepted content type. The body stays a buffer until the caller is authenticated and counted. */
export function acceptJsonOnly(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );
}

/**
 * After authentication and rate limits, parses the body and rejects a body or query with fields on routes that declare none. The
 * validation pipe then checks both against the route's classes.
 */
@Injectable()
export class InputGuard implements CanActivate {
  /** @throws DomainError MALFORMED_JSON, BODY_TOO_DEEP, VALIDATION_ERROR */
  canActivate(context: ExecutionContext): true {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const { body, query, method } = request;
    if (Buffer.isBuffer(body)) {
      const read = readJsonBody(body);
      // Null counts as omitted in requests that create or do something. In an update, it can be a value.
      request.body = method === 'POST' && isFields(read) ? withoutNulls(read) : read;
    }
    // Elsewhere, null counts as no body. Otherwise a PATCH would report success without changing anything.
    if (method === 'PATCH' && request.body === null) throw notAnObject();
    rejectUnlessDeclared(query, context, RouteParamtypes.QUERY);
    if (Buffer.isBuffer(body)) rejectUnlessDeclared(request.body, context, RouteParamtypes.BODY);
    return true;
  }
}

function rejectUnlessDeclared(
  fields: unknown,
  context: ExecutionContext,
  type: RouteParamtypes,
): void {
  const names = isFields(fields) ? Object.keys(fields) : [];
  if (names.length > 0 && !declares(context, type)) throw unknownFields(names);
}

function declares(context: ExecutionContext, type: RouteParamtypes): boolean {
  const { name } = context.getHandler();
  const parameters = Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), name) as
    | Record<string, unknown>
    | undefined;
  return Object.keys(parameters ?? {}).some((key) => key.startsWith(`${type}:`));
}

/**
 * Turns bodies, queries and path parameters into their DTO classes, or rejects them with a 400. Rejects
 * unknown names, because a typo would silently do nothing, except in bodies from shipped software.
 */
@Injectable()
export class DtoValidationPipe extends ValidationPipe {
  private readonly lenient = new ValidationPipe(OPTIONS);

  constructor(private readonly config: Config) {
    super({ ...OPTIONS, forbidNonWhitelisted: true });
  }

  protected override validate(body: object, options?: ValidatorOptions) {
    attachConfig(body, this.config);
    return super.validate(body, options);
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const { type, metatype } = metadata;
    if (type === 'custom') return value;
    if (type !== 'body') return this.transformStrictly(value, metadata);
    const body = value ?? {};
    if (typeof body !== 'object' || Array.isArray(body)) {
      throw notAnObject();
    }
    const read = metatype && readerOf(metatype);
    if (read) return read(body) ?? this.lenient.transform(body, metadata);
    return this.transformStrictly(withoutSentFields(body), metadata);
  }

  private transformStrictly(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    rejectInherited(value);
    return super.transform(value, metadata);
  }
}

/** class-transformer ignores names on Object.prototype, such as toString, so they are rejected here. */
function rejectInherited(value: unknown): void {
  const names = Object.keys(value ?? {}).filter((name) => name in Object.prototype);
  if (names.length > 0) throw unknownFields(names);
}

const CONFIGS = new WeakMap<object, Config>();

/**
 * Lets the constraints of a body, and of objects in it, read the configuration, because class-validator
 * passes them only that object.
 */
export function attachConfig(body: object, config: Config): void {
  CONFIGS.set(body, config);
  for (const value of Object.values(body) as unknown[]) {
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      CONFIGS.set(value, config);
  }
}

export const configOf = (body: object): Config => CONFIGS.get(body)!;

const OPTIONS = {
  whitelist: true,
  transform: true,
  // Needed for the names of the existing fields.
  validationError: { target: true },
  exceptionFactory: toRejection,
} as const;

type Dto = new () => object;
type Check = (value: unknown, body: object) => boolean;

/** Reads a valid body. Returns undefined for an invalid one, whose errors class-validator then reports. */
export type BodyReader = (body: object) => object | undefined;

const READERS = new Map<unknown, BodyReader>();

/**
 * The body of a request from shipped software. Its constraints are compiled into a {@link BodyReader},
 * because class-validator is too slow there. Fields can have any synchronous constraint; the only supported
 * transform is `TransformText`. Unknown fields are ignored, because old versions and other clients send
 * more.
 */
export const OfShippedSoftware = () =>
  applyDecorators(
    (target: object) => void READERS.set(target, compile(target as Dto)),
    ApiSchema({ additionalProperties: true } as object),
  );

/** The reader of a class with `@OfShippedSoftware()`; undefined for other classes. */
export const readerOf = (dto: Dto): BodyReader | undefined => READERS.get(dto);

function compile(dto: Dto): BodyReader {
  const metadata = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
  const properties = [...new Set(metadata.map(({ propertyName }) => propertyName))];
  const fields = properties.map((property) => ({
    property,
    transforms: textTransformsOf(dto.prototype as object, property),
    conditions: checksOf(metadata, property, 'conditionalValidation'),
    checks: checksOf(metadata, property, 'customValidation'),
  }));
  return (body) => {
    const read = new dto() as Record<string, unknown>;
    for (const { property, transforms, conditions, checks } of fields) {
      const given = Object.hasOwn(body, property) ? (body as typeof read)[property] : undefined;
      const value = transforms.reduce((text, each) => transformed(text, each, body), given);
      if (value !== undefined) read[property] = value;
      const pass = (check: Check) => check(value, read);
      if (conditions.every(pass) && !checks.every(pass)) return undefined;
    }
    return read;
  };
}

type Metadata = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>;

function checksOf(metadata: Metadata, property: string, type: string): Check[] {
  const own = metadata.filter((item) => item.propertyName === property && item.type === type);
  return own.flatMap((item): Check[] => {
    const { constraints, target } = item;
    if (type === 'conditionalValidation') {
      const [condition] = constraints as [(object: object, value: unknown) => boolean];
      return [(value, object) => condition(object, value)];
    }
    const targetName = (target as Dto).name;
    return getMetadataStorage()
      .getTargetValidatorConstraints(item.constraintCls)
      .map(
        ({ instance }) =>
          (value, object) =>
            instance.validate(value, { targetName, property, object, value, constraints }) === true,
      );
  });
}
