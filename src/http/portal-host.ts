import type { FastifyInstance } from 'fastify';
import type { Config } from '../shared/config/config.js';
import { DomainError } from '../shared/errors/domain-error.js';
import { sendError } from './error.filter.js';

/**
 * Keeps the hosts apart: requests to the portal's host only reach the portal's routes, and requests to any
 * other host never do. A script on one host therefore cannot use a session of the other.
 */
export function separatePortal(fastify: FastifyInstance, config: Config): void {
  const isPortalHost = portalHostOf(config);
  fastify.addHook('onRequest', (request, reply, done) => {
    const isOfPortal = isPortalHost(request.host);
    if (isOfPortal === (request.routeOptions.config.isPortal ?? false)) return done();
    sendError(new DomainError('ROUTE_NOT_FOUND'), request, reply);
  });
}

/** Whether a `Host` is the portal's. Ports are ignored, as they are for cookies. */
export function portalHostOf({ portalUrl }: Pick<Config, 'portalUrl'>): (host: string) => boolean {
  if (portalUrl === undefined) return () => false;
  const portal = new URL(portalUrl).hostname;
  return (host) => host.replace(/:\d*$/, '').toLowerCase() === portal;
}
