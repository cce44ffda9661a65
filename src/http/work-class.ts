import { ExtendRouteConfig } from './extend-route-config.js';

/**
 * License checks are what shipped software depends on: no other work can use their capacity. Neither can hashing a password.
 * Health checks are served under overload, too: an instance that is taken out of rotation leaves its share to the others.
 */
export const WORK_CLASS_NAMES = ['licenseChecks', 'passwords', 'other', 'healthChecks'] as const;

export type WorkClassName = (typeof WORK_CLASS_NAMES)[number];

declare module 'fastify' {
  interface FastifyContextConfig {
    workClass?: WorkClassName;
  }
}

/** Declares the class of a route's requests; without it, they are other work. */
export const InWorkClass = (workClass: WorkClassName) => ExtendRouteConfig({ workClass });
