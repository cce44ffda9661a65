import { RouteConfig } from '@nestjs/platform-fastify';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants';
import type { FastifyContextConfig } from 'fastify';

/**
 * Extends the Fastify configuration of a route; `RouteConfig` would replace what another decorator has set.
 * Fastify's hooks can read it before Nest's guards run.
 */
export const ExtendRouteConfig =
  (config: FastifyContextConfig): MethodDecorator =>
  (target, name, descriptor) => {
    const method = descriptor.value as object;
    const others = Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, method) as object | undefined;
    RouteConfig({ ...others, ...config })(target, name, descriptor);
  };
