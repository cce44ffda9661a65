import {
  applyDecorators,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  type PipeTransform,
} from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { ApiErrors } from '../../openapi/decorators/api-route.js';
import type { Principal } from '../../auth/principal.js';
import { DataKeys } from '../sealing/data-keys.js';
import { validationError } from '../errors/validation-error.js';
import type { AccountId } from '../ids.js';
import { Clock } from '../time/clock.js';
import { IDEMPOTENCY_TTL_MS, type IdempotencyRecord } from './idempotency-record.js';

const MAX_LENGTH = 255;

/** The parts of a request that determine its idempotency record. */
export interface IdempotentRequest {
  readonly header: string | undefined;
  readonly accountId: AccountId;
  /** The id of the member or API key; keys of different callers are independent. */
  readonly principal: string;
  /** Method, path and body, which must be the same when a key is repeated. */
  readonly request: readonly unknown[];
}

/** Turns the Idempotency-Key header of an authenticated request into an idempotency record. */
@Injectable()
export class IdempotencyPipe implements PipeTransform<IdempotentRequest> {
  constructor(
    private readonly dataKeys: DataKeys,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError VALIDATION_ERROR */
  transform({ header, accountId, principal, request }: IdempotentRequest) {
    if (header === undefined) return undefined;
    const key = parseIdempotencyKey(header);
    if (key === undefined) {
      throw validationError({
        'Idempotency-Key': ['Idempotency-Key must be 1 to 255 printable ASCII characters'],
      });
    }
    const createdAt = this.clock.now();
    const record: IdempotencyRecord = {
      _id: this.dataKeys.hash('idempotency', 'claim', principal, key),
      owner: accountId,
      requestHash: this.dataKeys.hash('idempotency', 'request', ...request.map(inOrder)),
      createdAt,
      expiresAt: new Date(createdAt.getTime() + IDEMPOTENCY_TTL_MS),
    };
    return record;
  }
}

/** A JSON value with the members of its objects in a fixed order, because their order has no meaning. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, inOrder(member)]));
}

/**
 * Parses the Idempotency-Key header: a quoted string (RFC 8941) as in the IETF draft, or a bare key.
 *
 * @returns undefined unless the key has 1 to 255 printable ASCII characters
 */
export function parseIdempotencyKey(header: string): string | undefined {
  const text = header.trim();
  const key = text.startsWith('"') ? unquote(text) : text;
  return key !== undefined && /^[\x20-\x7e]+$/.test(key) && key.length <= MAX_LENGTH
    ? key
    : undefined;
}

function unquote(text: string): string | undefined {
  const inner = /^"((?:[^"\\]|\\["\\])*)"$/.exec(text)?.[1];
  return inner?.replace(/\\(["\\])/g, '$1');
}

const requestOf = createParamDecorator(
  (partsOf: (body: unknown) => unknown[], context: ExecutionContext): IdempotentRequest => {
    const request = context.switchToHttp().getRequest<FastifyRequest & { user: Principal }>();
    const { method, url, body, user, headers } = request;
    const header = headers['idempotency-key'];
    return {
      header: Array.isArray(header) ? header.join(', ') : header,
      accountId: user.accountId,
      principal: user.id,
      request: [method, url, ...partsOf(body)],
    };
  },
);

const documented = applyDecorators(
  ApiHeader({
    name: 'Idempotency-Key',
    description:
      'A unique key that you generate for this request, such as a UUID (1 to 255 characters). If you repeat the request with ' +
      'the same key within 24 hours, it is not executed again and you get the first response.',
    required: false,
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example: '8e03978e-40d5-43dd-bc93-6894a57f9324',
  }),
  ApiErrors('IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_QUOTA_REACHED'),
);

/** Injects the idempotency record of a request, and documents the Idempotency-Key header on its route. */
const recordOf =
  (partsOf: (body: unknown) => unknown[]): ParameterDecorator =>
  (target, name, index) => {
    requestOf(partsOf, IdempotencyPipe)(target, name, index);
    documented(target, name, Object.getOwnPropertyDescriptor(target, name!));
  };

/** The idempotency record of an authenticated request; undefined without an idempotency key. */
export const Idempotency = () => recordOf((body) => [body]);

/** The same for a body with secrets: only these fields enter the request hash. */
export const IdempotencyOf = (...fields: string[]) => recordOf((body) => [pick(body, fields)]);

const pick = (body: unknown, fields: readonly string[]) =>
  Object.fromEntries(Object.entries(body ?? {}).filter(([field]) => fields.includes(field)));
