import fs from 'node:fs';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { DomainError } from '../shared/errors/domain-error.js';

/** Headers of the console's pages and assets: nothing but its own files runs, and no page can embed it. */
const HEADERS = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'X-Frame-Options': 'DENY',
  'Cache-Control': 'no-cache',
};

/**
 * Serves the built console: its assets, whose names contain a hash of their content, and at every other address below
 * /console its one page, whose script reads the address.
 */
export function serveConsole(
  fastify: FastifyInstance,
  folder: string,
  services: readonly string[],
): void {
  const file = path.join(folder, 'index.html');
  if (!fs.existsSync(file)) {
    fastify.log.warn('The console is not built, so /console returns 404. Run npm run build.');
    return;
  }
  const page = withServices(fs.readFileSync(file, 'utf8'), services);
  void fastify.register(async (scope) => {
    scope.addHook('onRequest', (_request, reply, done) => {
      reply.headers(HEADERS);
      done();
    });
    // Without a wildcard, each file has its own route, so no other file can be requested.
    await scope.register(fastifyStatic, {
      root: path.join(folder, 'assets'),
      prefix: '/console/assets/',
      wildcard: false,
      index: false,
      decorateReply: false,
      maxAge: '365d',
      immutable: true,
    });
    scope.get('/console/assets/*', () => {
      throw new DomainError('ROUTE_NOT_FOUND');
    });
    scope.get('/', (_request, reply) => reply.redirect('/console'));
    for (const address of ['/console', '/console/*']) {
      scope.get(address, (_request, reply) => reply.type('text/html; charset=utf-8').send(page));
    }
  });
}

/** The page with what licenses may include, encoded so that no name is taken for markup. */
const withServices = (page: string, services: readonly string[]) =>
  page.replace(/(?<=<meta name="services" content=")[^"]*/, () =>
    encodeURIComponent(services.join(',')),
  );
