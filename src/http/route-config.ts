import { RouteConfig } from '@nestjs/platform-fastify';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants';
import type { FastifyContextConfig } from 'fastify';
import type { ErrorCode } from '../shared/errors/error-codes.js';

/**
 * Shipped software depends on license checks, so no other work may use their capacity. Some work has its
 * own capacity: hashing passwords, resolving webhook URLs (which waits for name servers), and requests from
 * the vendors' customers in the portal. Health checks are served even under overload: taking an instance
 * out of rotation would shift its load to the others.
 */
export const WORK_CLASS_NAMES = [
  'licenseChecks',
  'passwords',
  'webhookUrls',
  'imports',
  'portal',
  'other',
  'healthChecks',
] as const;

export type WorkClassName = (typeof WORK_CLASS_NAMES)[number];

/** How a route's error bodies differ from the general one. */
export interface ErrorShape {
  /** Fields in every error of the route, such as `success: false`. */
  readonly always?: Readonly<Record<string, unknown>>;
  /** The code the specification requires for every server failure, including an unavailable store. */
  readonly unexpected?: ErrorCode;
  /** The body the specification requires for a 429. */
  readonly tooManyRequests?: Readonly<Record<string, unknown>>;
}

declare module 'fastify' {
  /** What a route declares for Fastify's hooks, which run before Nest's guards, and for errors before its handler runs. */
  interface FastifyContextConfig {
    workClass?: WorkClassName;
    errorShape?: ErrorShape;
    isSameOriginOnly?: boolean;
    /** Served only on the portal's host. */
    isPortal?: boolean;
  }
}

/** Sets the work class of a route's requests; the default is `other`. */
export const InWorkClass = (workClass: WorkClassName) => extendConfig({ workClass });

export const WithErrorShape = (errorShape: ErrorShape) => extendConfig({ errorShape });

/** Accepts requests only from pages of this service, because the caller's credentials are a cookie. */
export const SameOriginOnly = () => extendConfig({ isSameOriginOnly: true });

/** Serves a route on the host of the customer portal instead of the others. */
export const OfPortal = () => extendConfig({ isPortal: true, workClass: 'portal' });

/** `RouteConfig` would replace the values set by other decorators. */
const extendConfig =
  (config: FastifyContextConfig): MethodDecorator =>
  (target, name, descriptor) => {
    const method = descriptor.value as object;
    const others = Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, method) as object | undefined;
    RouteConfig({ ...others, ...config })(target, name, descriptor);
  };
