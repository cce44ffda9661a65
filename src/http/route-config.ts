import { RouteConfig } from '@nestjs/platform-fastify';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants';
import type { FastifyContextConfig } from 'fastify';
import type { ErrorCode } from '../shared/errors/error-codes.js';

/**
 * License checks are what shipped software depends on: no other work can use their capacity. Neither can hashing a password, nor the
 * URL of a webhook, which waits for name servers.
 * Health checks are served under overload, too: an instance that is taken out of rotation leaves its share to the others.
 */
export const WORK_CLASS_NAMES = [
  'licenseChecks',
  'passwords',
  'webhookUrls',
  'other',
  'healthChecks',
] as const;

export type WorkClassName = (typeof WORK_CLASS_NAMES)[number];

/** How the error bodies of one route differ from the general one. */
export interface ErrorShape {
  /** Fields that every error of the route carries, such as `success: false`. */
  readonly always?: Readonly<Record<string, unknown>>;
  /** The prescribed code of every failure of the service, an unavailable store included. */
  readonly unexpected?: ErrorCode;
  /** The prescribed body of a 429. */
  readonly tooManyRequests?: Readonly<Record<string, unknown>>;
}

declare module 'fastify' {
  /** What a route declares for Fastify's hooks, which run before Nest's guards, and for errors before its handler runs. */
  interface FastifyContextConfig {
    workClass?: WorkClassName;
    errorShape?: ErrorShape;
    isSameOriginOnly?: boolean;
  }
}

/** Declares the class of a route's requests; without it, they are other work. */
export const InWorkClass = (workClass: WorkClassName) => extendConfig({ workClass });

export const WithErrorShape = (errorShape: ErrorShape) => extendConfig({ errorShape });

/** Declares that a route accepts requests from pages of this service alone: its caller's credentials are a cookie. */
export const SameOriginOnly = () => extendConfig({ isSameOriginOnly: true });

/** `RouteConfig` would replace what another decorator has set. */
const extendConfig =
  (config: FastifyContextConfig): MethodDecorator =>
  (target, name, descriptor) => {
    const method = descriptor.value as object;
    const others = Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, method) as object | undefined;
    RouteConfig({ ...others, ...config })(target, name, descriptor);
  };
