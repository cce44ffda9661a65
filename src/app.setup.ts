import { randomUUID } from 'node:crypto';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from 'pino';
import { serveDocumentation } from './openapi/serve-documentation.js';
import { Config } from './shared/config/config.js';
import { setResponseHeaders } from './server/response-headers.js';
import { GracefulShutdown } from './server/graceful-shutdown.js';
import { acceptJsonOnly, BODY_LIMIT } from './server/json-body.js';
import { LoadShedder } from './server/overload/load-shedder.js';
import { provideRequestContext } from './server/provide-request-context.js';
import { logAbortedRequests, RequestLog } from './server/request-log.js';
import { warnOfUntrustedProxy } from './server/trusted-proxies.js';
import { rejectUndecodableUrl, rejectUnreadableRequest } from './server/unreadable-request.js';
import { Deadline } from './shared/time/deadline.js';

/** Longest that a caller may take to send its request, in milliseconds. */
const REQUEST_TIMEOUT = 10_000;
/**
 * Milliseconds without progress on a connection: Node closes one whose responses are not read after one to two of them,
 * so within 20 s.
 */
const PROGRESS_TIMEOUT = 10_000;
/** Longest that a connection is kept between two requests, in milliseconds. */
const KEEP_ALIVE = 20_000;
/** The same behind a trusted proxy: longer than proxies keep theirs, as they would use a closed one. */
const PROXY_KEEP_ALIVE = 72_000;

/** Headers of responses that browser applications may read, beside those that any may. */
const EXPOSED_HEADERS = [
  'Retry-After',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
];

/** How Nest creates the application: bodies are read and failures are told in the project's own way. */
export const NEST_OPTIONS = { bodyParser: false, abortOnError: false } as const;

/** The HTTP server, before any route. */
export function createAdapter(config: Config, logger: Logger): FastifyAdapter {
  const logController = new RequestLog();
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
    // Node would give the headers a minute by themselves, and look at neither but twice a minute.
    http: { headersTimeout: REQUEST_TIMEOUT, connectionsCheckingInterval: 1000 },
    // An id that is too long is rejected like any other that is none.
    routerOptions: { maxParamLength: 16 * 1024 },
    // What arrives on an open connection while shutting down is still served.
    return503OnClosing: false,
    multipart: false,
    frameworkErrors: rejectUndecodableUrl(logController),
  });
  // Nest answers some requests before any hook that is added later: preflights, and odd targets (`GET *`).
  adapter.setOnRequestHook((request, reply, done) => {
    setResponseHeaders(request, reply);
    done();
  });
  return adapter;
}

/** Sets up an application that was created with {@link NEST_OPTIONS}, in the required order. */
export function setUpApp(app: NestFastifyApplication): void {
  const config = app.get(Config);
  const fastify = app.getHttpAdapter().getInstance();
  app.get(GracefulShutdown).closeByResponses(fastify);
  app.get(LoadShedder).protect(fastify);
  provideRequestContext(fastify, app.get(Deadline));
  logAbortedRequests(fastify);
  warnOfUntrustedProxy(fastify, config.trustedProxies);
  acceptJsonOnly(fastify);
  if (config.corsOrigins.length > 0) {
    app.enableCors({
      origin: [...config.corsOrigins],
      methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
      exposedHeaders: EXPOSED_HEADERS,
    });
  }
  serveDocumentation(app);
}
