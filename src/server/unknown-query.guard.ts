import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { FastifyRequest } from 'fastify';
import { UnreadableBody } from './json-body.js';
import { memoizeByHandler } from './memoize-by-handler.js';
import { unknownFields } from '../shared/errors/validation-error.js';

/**
 * Rejects a query on a route that declares none, after rate limits and authentication. On other routes the
 * validation pipe checks the query against its class.
 */
@Injectable()
export class UnknownQueryGuard implements CanActivate {
  private readonly inputOf = memoizeByHandler((context) => {
    const handler = context.getHandler().name;
    const parameters = Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), handler) as
      | Record<string, unknown>
      | undefined;
    const has = (type: RouteParamtypes) =>
      Object.keys(parameters ?? {}).some((key) => key.startsWith(`${type}:`));
    return { hasQuery: has(RouteParamtypes.QUERY), hasBody: has(RouteParamtypes.BODY) };
  });

  /** @throws DomainError VALIDATION_ERROR */
  canActivate(context: ExecutionContext): true {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const names = Object.keys(request.query as object);
    if (names.length === 0) return true;
    const { hasQuery, hasBody } = this.inputOf(context);
    if (hasQuery) return true;
    const error = unknownFields(names);
    if (!hasBody) throw error;
    // The validation pipe throws it, so that the route's own guards and interceptors run first.
    request.body = new UnreadableBody(error);
    return true;
  }
}
