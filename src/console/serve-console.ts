import type { FastifyInstance } from 'fastify';
import { serveBrowserApp } from '../http/browser-app.js';
import type { Config } from '../shared/config/config.js';

type Settings = Pick<Config, 'basePath' | 'services' | 'takesImports'>;

/** Serves the console under /console. */
export function serveConsole(fastify: FastifyInstance, folder: string, config: Settings): void {
  const isServed = serveBrowserApp(fastify, {
    ...{ name: 'console', folder, assets: '/console/assets/', pages: ['/console', '/console/*'] },
    complete: (page) => withSettings(page, config),
  });
  if (isServed) fastify.get('/', (_request, reply) => reply.redirect(`${config.basePath}/console`));
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
