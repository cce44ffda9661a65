import { type INestApplication, RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner, ModulesContainer, Reflector } from '@nestjs/core';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants.js';
import type { FastifyContextConfig } from 'fastify';
import { Public } from '../auth/auth.decorators.js';
import type { ErrorCode } from '../shared/errors/error-codes.js';
import type { ErrorShape } from '../server/errors/error-body.js';
import { API_ERROR_BODY, API_ERRORS, type ErrorBodySchema } from './decorators/api-route.js';
import { ErrorBody } from './decorators/error-body.response.js';
import { RateLimit } from '../server/rate-limit/route-limits.js';
import { isWrite } from '../server/rate-limit/write-limit.guard.js';

/** The properties of a route that its documentation is derived from. */
export interface DocumentedRoute {
  readonly isPublic: boolean;
  /** Whether a rate limit applies to it, by address or by account. */
  readonly isLimited: boolean;
  /** Whether it is rejected under overload. */
  readonly isShed: boolean;
  readonly errors: readonly ErrorCode[];
  readonly errorShape: ErrorShape;
  readonly errorBody: ErrorBodySchema;
}

type Handler = (...parameters: unknown[]) => unknown;

const reflector = new Reflector();
const GENERAL: ErrorBodySchema = { name: ErrorBody.name, oneOf: [ErrorBody] };

/** Every route of the application's controllers, by its `operationId`: the name of its method. */
export function documentedRoutes(app: INestApplication): ReadonlyMap<string, DocumentedRoute> {
  const modules = [...app.get(ModulesContainer).values()];
  const controllers = modules.flatMap((module) => [...module.controllers.values()]);
  return new Map(controllers.flatMap(({ metatype }) => routesOf(metatype as Type<unknown>)));
}

function routesOf(controller: Type<unknown>): [string, DocumentedRoute][] {
  const prototype = controller.prototype as Record<string, Handler>;
  return new MetadataScanner()
    .getAllMethodNames(prototype)
    .map((name) => prototype[name]!)
    .filter((handler) => Reflect.hasMetadata(PATH_METADATA, handler))
    .map((handler) => [handler.name, describe(controller, handler)]);
}

function describe(controller: Type<unknown>, handler: Handler): DocumentedRoute {
  const config = Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, handler) as
    FastifyContextConfig | undefined;
  const errors = [handler, controller].flatMap(
    (part) => reflector.get<ErrorCode[] | undefined>(API_ERRORS, part) ?? [],
  );
  const method: RequestMethod = reflector.get(METHOD_METADATA, handler);
  const isPublic = reflector.getAllAndOverride(Public, [handler, controller]) ?? false;
  return {
    isPublic,
    isLimited:
      reflector.get(RateLimit, handler) !== undefined ||
      errors.includes('TOO_MANY_REQUESTS') ||
      (!isPublic && isWrite(RequestMethod[method])),
    isShed: !config?.isHealthCheck,
    errors,
    errorShape: config?.errorShape ?? {},
    errorBody: reflector.get<ErrorBodySchema | undefined>(API_ERROR_BODY, handler) ?? GENERAL,
  };
}
