import type { FastifyInstance } from 'fastify';
import { isBuilt, serveBrowserApp } from '../http/browser-app.js';
import type { Config } from '../shared/config/config.js';

type Settings = Pick<Config, 'basePath' | 'services' | 'takesImports'>;

/** Serves the built console under /console. */
export function serveConsole(fastify: FastifyInstance, folder: string, config: Settings): void {
  if (!isBuilt(folder)) {
    fastify.log.warn('The console is not built, so /console returns 404. Run npm run build.');
    return;
  }
  const assets = '/console/assets/';
  const pages = ['/console', '/console/*'];
  const complete = (page: string) => withSettings(page, config);
  serveBrowserApp(fastify, { folder, assets, pages, complete });
  fastify.get('/', (_request, reply) => reply.redirect(`${config.basePath}/console`));
}

/**
 * Writes the deployment's settings into the page and makes the URLs of its assets absolute. The names of
 * services are encoded, so none is taken for markup.
 */
const withSettings = (page: string, { basePath, services, takesImports }: Settings): string =>
  page
    .replaceAll('"./assets/', `"${basePath}/console/assets/`)
    .replace(metaContent('base-path'), basePath)
    .replace(metaContent('services'), () => encodeURIComponent(services.join(',')))
    .replace(metaContent('import'), takesImports ? 'on' : 'off');

const metaContent = (name: string) => new RegExp(`(?<=<meta name="${name}" content=")[^"]*`);
