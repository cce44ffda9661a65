import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import helmet from 'helmet';

/** helmet's headers are the same on every answer, so they are worked out once. */
export const PROTECT_BROWSERS = headersOf(
  helmet({
    // TLS ends at a proxy, if anywhere: a browser must not turn the documentation's own links into https.
    contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } },
    // Browsers heed it over TLS alone. The service speaks for its own host, not for those below it.
    strictTransportSecurity: { includeSubDomains: false },
  }),
);

/** Sets what every answer carries, whatever it is: the request's id, and helmet's headers. */
export function setAnswerHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(PROTECT_BROWSERS).header('X-Request-Id', request.id);
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
