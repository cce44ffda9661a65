import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import helmet from 'helmet';

/** helmet's headers, computed once because they are the same for every response. */
const HELMET = headersOf(
  helmet({
    // The service itself speaks plain HTTP, so browsers must not upgrade the documentation's own links to https.
    contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } },
    // Applies to this host only, not to its subdomains.
    strictTransportSecurity: { includeSubDomains: false },
  }),
);

/** `Cache-Control`, because responses contain license keys, tokens and customer data. */
export const NO_STORE = 'no-store';

/** Security headers of every response except the documentation. */
const PROTECT_BROWSERS = { ...HELMET, 'cache-control': NO_STORE };

/** Swagger UI and its assets; not the API document. */
const DOCUMENTATION = /^\/docs(?:[/?]|$)/;

/**
 * Sets the headers of every response: the request id and the security headers. Responses to invalid HTTP bypass Fastify
 * and have fewer headers (`unreadable-request.ts`).
 */
export function setResponseHeaders(request: FastifyRequest, reply: FastifyReply): void {
  const isDocumentation = DOCUMENTATION.test(request.url);
  reply.headers(isDocumentation ? HELMET : PROTECT_BROWSERS).header('X-Request-Id', request.id);
}

function headersOf(setHeaders: ReturnType<typeof helmet>): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  const response = {
    setHeader: (name: string, value: string) => (headers[name.toLowerCase()] = value),
    removeHeader: () => undefined,
  };
  setHeaders({} as IncomingMessage, response as unknown as ServerResponse, () => undefined);
  return headers;
}
