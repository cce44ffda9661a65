import { RouteConfig } from '@nestjs/platform-fastify';

/** What Fastify's configuration of a route says of it. */
export interface SheddingConfig {
  readonly neverShed?: boolean;
}

/** Declares that a route is served however much there is to do. */
export const NeverShed = () => RouteConfig({ neverShed: true } satisfies SheddingConfig);
