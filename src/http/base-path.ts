import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../shared/config/config.js';
import { DomainError } from '../shared/errors/domain-error.js';
import { sendError } from './error.filter.js';
import { portalHostOf } from './portal-host.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** BASE_PATH, for cookies; empty if it is not set. */
    basePath: string;
  }
}

/** Replaces each URL outside the base path. No route matches it. */
const OUTSIDE = '/outside-base-path';

type BasePath = Pick<Config, 'basePath' | 'portalUrl'>;

/**
 * Removes the base path from a URL before it is routed, so routes, logs and metrics are the same with and
 * without it. The portal has its own host name and needs no base path.
 */
export function withoutBasePath(config: BasePath) {
  const { basePath } = config;
  const isPortalHost = portalHostOf(config);
  return ({ url = '', headers: { host = '' } }: Pick<IncomingMessage, 'url' | 'headers'>) => {
    if (isPortalHost(host)) return url;
    const rest = url.slice(basePath.length);
    if (!url.startsWith(basePath) || !/^([/?]|$)/.test(rest)) return OUTSIDE;
    return rest.startsWith('/') ? rest : `/${rest}`;
  };
}

/** Rejects URLs outside the base path and says where the service is. */
export function serveBelow(fastify: FastifyInstance, { basePath }: BasePath): void {
  fastify.decorateRequest('basePath', basePath);
  if (basePath === '') return;
  const details = `The service is served below ${basePath}. A proxy in front of it must not remove that path.`;
  fastify.addHook('onRequest', (request, reply, done) => {
    if (request.url !== OUTSIDE) return done();
    sendError(new DomainError('ROUTE_NOT_FOUND', { details }), request, reply);
  });
}
