import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { FastifyRequest } from 'fastify';
import { unknownFields } from '../shared/errors/validation-error.js';
import { readJsonBody } from './json-body.js';
import { memoizeByHandler } from './memoize-by-handler.js';

/**
 * Parses the body, and rejects a query on a route that declares none, after authentication and rate limits. The validation pipe
 * checks both against the classes of the route.
 */
@Injectable()
export class InputGuard implements CanActivate {
  private readonly hasQuery = memoizeByHandler((context) => {
    const handler = context.getHandler().name;
    const parameters = Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), handler) as
      | Record<string, unknown>
      | undefined;
    return Object.keys(parameters ?? {}).some((key) => key.startsWith(`${RouteParamtypes.QUERY}:`));
  });

  /** @throws DomainError MALFORMED_JSON, BODY_TOO_DEEP, VALIDATION_ERROR */
  canActivate(context: ExecutionContext): true {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const { body, query } = request;
    if (Buffer.isBuffer(body)) request.body = readJsonBody(body);
    const names = Object.keys(query as object);
    if (names.length > 0 && !this.hasQuery(context)) throw unknownFields(names);
    return true;
  }
}
