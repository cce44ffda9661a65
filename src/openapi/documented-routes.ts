import { type INestApplication, RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner, ModulesContainer, Reflector } from '@nestjs/core';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants.js';
import type { FastifyContextConfig } from 'fastify';
import { accessTo } from '../auth/access/operations.js';
import { Public } from '../auth/auth.decorators.js';
import { RateLimit } from '../limits/rate-limit.guard.js';

type Handler = (...parameters: unknown[]) => unknown;

/** The properties of a route that its documentation is derived from. */
export type DocumentedRoute = ReturnType<typeof describe>;

/**
 * Every route of the application's controllers, by its `operationId`: the name of its method.
 *
 * @throws Error if one is neither public nor in the table of operations
 */
export function documentedRoutes(app: INestApplication): ReadonlyMap<string, DocumentedRoute> {
  const controllers = new DiscoveryService(app.get(ModulesContainer)).getControllers();
  return new Map(
    controllers.flatMap(({ metatype }) => {
      const prototype = metatype!.prototype as Record<string, Handler>;
      const names = new MetadataScanner().getAllMethodNames(prototype);
      const routes = names.filter((name) => isRoute(prototype[name]!));
      return routes.map((name) => [name, describe(metatype as Type, prototype[name]!)] as const);
    }),
  );
}

const isRoute = (handler: Handler) => Reflect.hasMetadata(METHOD_METADATA, handler);

function describe(controller: Type, handler: Handler) {
  const reflector = new Reflector();
  const config: FastifyContextConfig = reflector.get(FASTIFY_ROUTE_CONFIG_METADATA, handler) ?? {};
  const { workClass, errorShape = {} } = config;
  const isHealthCheck = workClass === 'healthChecks';
  const isRead = reflector.get(METHOD_METADATA, handler) === RequestMethod.GET;
  const isPublic = reflector.getAllAndOverride(Public, [handler, controller]) ?? false;
  const isLimited = reflector.get(RateLimit, handler) !== undefined || (!isPublic && !isRead);
  const access = isPublic ? undefined : accessTo(handler.name);
  return { isPublic, access, isHealthCheck, isLimited, isRead, errorShape };
}
