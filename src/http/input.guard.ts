import { isUtf8 } from 'node:buffer';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import secureJsonParse from 'secure-json-parse';
import { DomainError } from '../shared/errors/domain-error.js';
import { isFields, withoutNulls } from '../shared/fields/request.decorators.js';
import { notAnObject, unknownFields } from '../shared/errors/validation-error.js';

/** Maximum size of a request body, in bytes. */
export const BODY_LIMIT = 16 * 1024;
/** Maximum nesting depth of objects and arrays in a request body. */
const DEPTH_LIMIT = 16;

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
      // Null counts as left out in what creates or does something. In a change it may be a value.
      request.body = method === 'POST' && isFields(read) ? withoutNulls(read) : read;
    }
    // Elsewhere null counts as no body. A PATCH would change nothing, and report success.
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
 * The parsed body; undefined if it is empty.
 *
 * @throws DomainError MALFORMED_JSON, BODY_TOO_DEEP
 */
export function readJsonBody(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  // RFC 8259, section 8.1: JSON is UTF-8. Decoding would silently replace invalid bytes.
  if (!isUtf8(body)) throw new DomainError('MALFORMED_JSON');
  let parsed: unknown;
  try {
    // Also rejects keys for prototype pollution (`__proto__`, `constructor.prototype`).
    parsed = secureJsonParse.parse(body);
  } catch {
    throw new DomainError('MALFORMED_JSON');
  }
  if (isDeeperThan(DEPTH_LIMIT, parsed)) throw new DomainError('BODY_TOO_DEEP');
  return parsed;
}

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeperThan(levels - 1, item));
}
