import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DomainError } from '../shared/errors/domain-error.js';

/** Rejects requests of other origins on routes that accept none (`SameOriginOnly`), before they are counted and their body is read. */
export function rejectCrossOrigin(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', (route) => {
    if (!route.config?.isSameOriginOnly) return;
    route.onRequest = [route.onRequest ?? []].flat().concat((request, _reply, done) => {
      done(isSameOrigin(request) ? undefined : new DomainError('CROSS_ORIGIN_REQUEST'));
    });
  });
}

/**
 * Whether a page of this service sent a request. Browsers send `Origin` with every request that is no GET; one
 * without it is rejected, too.
 *
 * @param request its `protocol` and `host` are those that a trusted proxy forwards, else its own
 */
function isSameOrigin({
  headers,
  protocol,
  host,
}: Pick<FastifyRequest, 'headers' | 'protocol' | 'host'>): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return false;
  const { origin } = headers;
  return origin !== undefined && origin === originOf(protocol, host);
}

/** Undefined for another protocol: its origin would be the text `null`, which browsers send for opaque origins. */
function originOf(protocol: string, host: string): string | undefined {
  const url = `${protocol}://${host}`;
  return /^https?$/.test(protocol) && URL.canParse(url) ? new URL(url).origin : undefined;
}
