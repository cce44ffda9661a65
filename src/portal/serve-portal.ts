import type { FastifyInstance } from 'fastify';
import { isBuilt, serveBrowserApp } from '../http/browser-app.js';

const PAGE = '/:issuer(^[0-9a-f]{24}$)';

/** Serves the built portal on its own host. */
export function servePortal(fastify: FastifyInstance, folder: string): void {
  if (!isBuilt(folder)) {
    fastify.log.warn('The portal is not built, so its pages return 404. Run npm run build.');
    return;
  }
  const pages = [PAGE, `${PAGE}/sign-in`];
  serveBrowserApp(fastify, { folder, assets: '/assets/', pages, config: { isPortal: true } });
}
