import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import helmet from 'helmet';

/** helmet's headers are the same on every response, so they are made once. */
const HELMET = headersOf(
  helmet({
    // TLS ends at a proxy, if anywhere: a browser must not turn the documentation's own links into https.
    contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } },
    // Browsers heed it over TLS alone. The service speaks for its own host, not for those below it.
    strictTransportSecurity: { includeSubDomains: false },
  }),
);

/** Responses hold license keys, tokens and customers' data: no browser or proxy may store one. */
export const NOT_STORED = 'no-store';

/** What protects browsers, and the data that passes through them, on every response but the documentation. */
export const PROTECT_BROWSERS = { ...HELMET, 'cache-control': NOT_STORED };

/** Swagger UI and its assets. The API document is a response of the API. */
const DOCUMENTATION = /^\/docs(?:[/?]|$)/;

/** Sets the headers of every response, whatever it is: the request's id, and what protects browsers. */
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
