import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DomainError } from '../shared/errors/domain-error.js';

/** Rejects cross-origin requests on `SameOriginOnly` routes before they are counted and their body is read. */
export function rejectCrossOrigin(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', (route) => {
    if (!route.config?.isSameOriginOnly) return;
    route.onRequest = [route.onRequest ?? []].flat().concat((request, _reply, done) => {
      done(isSameOrigin(request) ? undefined : new DomainError('CROSS_ORIGIN_REQUEST'));
    });
  });
}

/**
 * Whether a page of this service sent the request. Browsers send `Origin` with every request except GET, so
 * a request without it is rejected.
 *
 * @param request `protocol` and `host` are the forwarded ones if the proxy is trusted
 */
function isSameOrigin(request: FastifyRequest): boolean {
  const { headers } = request;
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return false;
  const { origin } = headers;
  return origin !== undefined && origin === originOf(request);
}

/**
 * The origin that a request was sent to. Undefined for other protocols. Their origin would be the text
 * `null`, which browsers send for opaque origins.
 */
export function originOf({
  protocol,
  host,
}: Pick<FastifyRequest, 'protocol' | 'host'>): string | undefined {
  const url = `${protocol}://${host}`;
  return /^https?$/.test(protocol) && URL.canParse(url) ? new URL(url).origin : undefined;
}
