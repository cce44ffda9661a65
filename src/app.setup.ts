import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import helmet from 'helmet';
import type { Logger } from 'pino';
import { documentedRoutes } from './openapi/documented-routes.js';
import { serveDocumentation } from './openapi/build-document.js';
import { Config } from './shared/config/config.js';
import { acceptJsonOnly, BODY_LIMIT } from './http/validation/validation.pipe.js';
import { serveBelow, withoutBasePath } from './http/base-path.js';
import { batchRequests, Capacity, Connections } from './http/capacity.js';
import { addressOf, warnOfUntrustedProxy } from './http/client-address.js';
import { RejectionMetrics } from './http/rejection-metrics.js';
import { RequestLog } from './http/request-log.js';
import { NO_STORE, sendError } from './http/error.filter.js';
import { separatePortal } from './http/portal-host.js';
import { rejectCrossOrigin } from './http/same-origin.js';
import { rejectUnreadableRequest } from './http/unreadable-request.js';
import { acceptLargeImports } from './imports/large-bodies.js';
import { type Metrics, NO_METRICS } from './metrics/metrics.js';
import { Deadline, requestContext } from './shared/request-context.js';

/** Timeout for receiving a request, in milliseconds. */
const REQUEST_TIMEOUT = 10_000;
/**
 * Socket timeout in milliseconds. Node closes a connection whose responses are not read after one to two of
 * these periods.
 */
const PROGRESS_TIMEOUT = 10_000;
/** Keep-alive timeout, in milliseconds. */
const KEEP_ALIVE = 20_000;
/**
 * Keep-alive timeout behind a trusted proxy. It is longer than the proxy's own, because the proxy might
 * otherwise reuse a closed connection.
 */
const PROXY_KEEP_ALIVE = 72_000;

/** Response headers that browser applications may read besides the CORS-safelisted ones. */
const EXPOSED_HEADERS = [
  'Retry-After',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
];

/** helmet's headers, computed once because they are the same for every response. */
const HELMET = headersOf(
  helmet({
    // The service itself speaks plain HTTP, so browsers must not upgrade the documentation's own links to https.
    contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } },
    // Applies to this host only, not to its subdomains.
    strictTransportSecurity: { includeSubDomains: false },
  }),
);

/** Security headers of every response except the documentation. */
const PROTECT_BROWSERS = { ...HELMET, 'cache-control': NO_STORE };

/** Swagger UI and its assets; not the API document. */
const DOCUMENTATION = /^\/docs(?:[/?]|$)/;

/** Options for creating the application: the project parses bodies and reports startup failures itself. */
export const NEST_OPTIONS = { bodyParser: false, abortOnError: false } as const;

/** The HTTP server, before any route is registered. */
export function createAdapter(
  config: Config,
  logger: Logger,
  metrics: Metrics = NO_METRICS,
): FastifyAdapter {
  const logController = new RequestLog(metrics);
  const begin = (request: FastifyRequest, reply: FastifyReply) => {
    setResponseHeaders(request, reply);
    logController.logWhenClosed(request, reply);
  };
  const adapter = new FastifyAdapter({
    loggerInstance: logger,
    logController,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    trustProxy: config.trustedProxies.length > 0 && [...config.trustedProxies],
    bodyLimit: BODY_LIMIT,
    requestTimeout: REQUEST_TIMEOUT,
    connectionTimeout: PROGRESS_TIMEOUT,
    keepAliveTimeout: config.trustedProxies.length > 0 ? PROXY_KEEP_ALIVE : KEEP_ALIVE,
    clientErrorHandler: rejectUnreadableRequest,
    ...(config.basePath && { rewriteUrl: withoutBasePath(config) }),
    // Node's defaults: a timeout of one minute for the headers, checked every 30 seconds.
    http: { headersTimeout: REQUEST_TIMEOUT, connectionsCheckingInterval: 1000 },
    // Ids that are too long are rejected like any other invalid id.
    routerOptions: { maxParamLength: 16 * 1024 },
    // Requests on open connections are still served during a shutdown.
    return503OnClosing: false,
    multipart: false,
    // Fastify runs no hooks for a URL that cannot be decoded.
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      begin(request, reply);
      sendError(error, request, reply);
    },
  });
  // Registered early, because Nest responds to preflights and unusual targets (`GET *`) before any later hook.
  adapter.setOnRequestHook((request, reply, done) => {
    begin(request, reply);
    done();
  });
  return adapter;
}

/**
 * Sets the headers of every response: the request id and the security headers. Responses to invalid HTTP bypass Fastify
 * and have fewer headers (`unreadable-request.ts`).
 */
function setResponseHeaders(request: FastifyRequest, reply: FastifyReply): void {
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

/** Provides the request context once the body has arrived, so that a slow sender does not use up the deadline. */
function provideRequestContext(fastify: FastifyInstance, { milliseconds }: Deadline): void {
  fastify.decorateRequest('clientAddress', undefined);
  fastify.addHook('preHandler', (request, _reply, done) => {
    const context = {
      requestId: request.id,
      address: addressOf(request),
      endsAt: performance.now() + milliseconds,
      isLicenseCheck: request.routeOptions.config.workClass === 'licenseChecks',
    };
    requestContext.run(context, done);
  });
}

/** Sets up an application that was created with {@link NEST_OPTIONS}, in the required order. */
export function setUpApp(app: NestFastifyApplication): void {
  const config = app.get(Config);
  const fastify = app.getHttpAdapter().getInstance();
  batchRequests(fastify.server);
  app.get(Connections).register(fastify);
  serveBelow(fastify, config);
  separatePortal(fastify, config);
  app.get(Capacity).register(fastify, app.get(RejectionMetrics), config);
  acceptLargeImports(app);
  provideRequestContext(fastify, app.get(Deadline));
  warnOfUntrustedProxy(fastify, config.trustedProxies);
  acceptJsonOnly(fastify);
  rejectCrossOrigin(fastify);
  if (config.corsOrigins.length > 0) {
    app.enableCors({
      origin: [...config.corsOrigins],
      methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
      exposedHeaders: EXPOSED_HEADERS,
    });
  }
  // The app does not start if an operation is neither public nor in the table of operations.
  documentedRoutes(app);
  serveDocumentation(app);
}
