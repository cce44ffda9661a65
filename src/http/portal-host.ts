import type { FastifyInstance } from 'fastify';
import type { Config } from '../shared/config/config.js';
import { DomainError } from '../shared/errors/domain-error.js';
import { sendError } from './error.filter.js';

/**
 * Keeps the hosts apart: requests to the portal's host reach only routes declared as the portal's, and requests to any other host never
 * reach those. So a script on one host cannot use a session of the other.
 */
export function separatePortal(fastify: FastifyInstance, { portalUrl }: Config): void {
  const portal = portalUrl === undefined ? undefined : new URL(portalUrl).hostname;
  fastify.addHook('onRequest', (request, reply, done) => {
    const isOfPortal = portal !== undefined && hostnameIn(request.host) === portal;
    if (isOfPortal === (request.routeOptions.config.isPortal ?? false)) return done();
    sendError(new DomainError('ROUTE_NOT_FOUND'), request, reply);
  });
}

/** Ports are ignored, because cookies are. */
const hostnameIn = (host: string) => host.replace(/:\d*$/, '').toLowerCase();
