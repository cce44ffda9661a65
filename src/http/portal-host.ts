import type { FastifyInstance, FastifyRequest } from 'fastify';
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
    if (isOfPortal && request.method === 'GET' && isForBrowser(request)) {
      reply.status(404).type('text/html; charset=utf-8').send(missingPage(request.url));
    } else {
      sendError(new DomainError('ROUTE_NOT_FOUND'), request, reply);
    }
  });
}

/** Whether a browser shows the response as a page. */
const isForBrowser = ({ headers }: FastifyRequest) => headers.accept?.includes('text/html');

/** Links to the portal whose issuer is in a mistyped URL. */
function missingPage(url: string): string {
  const [issuer] = /(?<=\/)[0-9a-f]{24}(?![^/?])/.exec(url) ?? [];
  const portal = issuer
    ? `<a href="/${issuer}">Open the customer portal</a>.`
    : 'Open the link in the email from your vendor.';
  return `<!doctype html>
<html lang="en">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Page not found</title>
<style>
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { max-width: 26rem; margin: 4rem auto; padding: 0 1rem }
h1 { font-size: 1.375rem }
</style>
<h1>Page not found</h1>
<p>Check the address. ${portal}</p>
</html>`;
}

/** Whether a `Host` is the portal's. Ports are ignored, as they are for cookies. */
export function portalHostOf({ portalUrl }: Pick<Config, 'portalUrl'>): (host: string) => boolean {
  if (portalUrl === undefined) return () => false;
  const portal = new URL(portalUrl).hostname;
  return (host) => host.replace(/:\d*$/, '').toLowerCase() === portal;
}
