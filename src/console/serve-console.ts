import type { FastifyInstance } from 'fastify';
import { isBuilt, serveBrowserApp } from '../http/browser-app.js';

/** Serves the built console below /console. */
export function serveConsole(
  fastify: FastifyInstance,
  folder: string,
  services: readonly string[],
): void {
  if (!isBuilt(folder)) {
    fastify.log.warn('The console is not built, so /console returns 404. Run npm run build.');
    return;
  }
  const assets = '/console/assets/';
  const pages = ['/console', '/console/*'];
  serveBrowserApp(fastify, { folder, assets, pages, complete: withServices(services) });
  fastify.get('/', (_request, reply) => reply.redirect('/console'));
}

/** The page with what licenses may include, encoded so that no name is taken for markup. */
const withServices = (services: readonly string[]) => (page: string) =>
  page.replace(/(?<=<meta name="services" content=")[^"]*/, () =>
    encodeURIComponent(services.join(',')),
  );
