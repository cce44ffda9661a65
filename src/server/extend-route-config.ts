import { RouteConfig } from '@nestjs/platform-fastify';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants';

/**
 * Extends the Fastify configuration of a route; `RouteConfig` would replace what another decorator has set.
 * Fastify's hooks can read it before Nest's guards run.
 */
export const ExtendRouteConfig =
  (config: object): MethodDecorator =>
  (target, name, descriptor) => {
    const others = Reflect.getMetadata(
      FASTIFY_ROUTE_CONFIG_METADATA,
      descriptor.value as object,
    ) as object | undefined;
    RouteConfig({ ...others, ...config })(target, name, descriptor);
  };
