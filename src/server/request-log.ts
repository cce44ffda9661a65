import {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { OBJECT_ID_PATTERN } from '../shared/ids/object-id.js';
import { addressOf } from './client-address.js';
import { loggedPath } from './logged-path.js';

/** Logs each request in one line, once its response has been sent or its caller has gone. */
export class RequestLog extends LogController {
  override incomingRequest(): void {
    // Logged once, with its response.
  }

  override requestCompleted(
    error: Error | null | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    if (error) logAborted(request, reply);
    else log(request, reply, { status: reply.statusCode });
  }

  override streamError(error: Error, request: FastifyRequest, reply: FastifyReply): void {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ERR_STREAM_PREMATURE_CLOSE') logAborted(request, reply);
    else super.streamError(error, request, reply);
  }
}

/** Logs requests whose connection is closed before their response has been sent: Fastify does not complete those. */
export function logAbortedRequests(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (request, reply, _payload, done) => {
    if (request.socket.destroyed) logAborted(request, reply);
    else reply.raw.once('close', () => logAborted(request, reply));
    done();
  });
}

/** Requests that are logged, because the connection of a completed one is closed, too. */
const logged = new WeakSet<FastifyRequest>();

function logAborted(request: FastifyRequest, reply: FastifyReply): void {
  log(request, reply, { aborted: true });
}

/** Neither a path nor a query is logged: callers put license keys and tokens into them. */
function log(
  request: FastifyRequest,
  reply: FastifyReply,
  outcome: { status: number } | { aborted: true },
): void {
  if (logged.has(request)) return;
  logged.add(request);
  const route = request.routeOptions.url;
  request.log.info(
    {
      method: request.method,
      route,
      path: route === undefined ? loggedPath(request.url) : undefined,
      id: idOf(request.params),
      ...outcome,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      ip: addressOf(request),
    },
    'request',
  );
}

/** The path parameter `:id` where it is an object id; anything else may be a license key. */
function idOf(params: unknown): string | undefined {
  const { id } = (params ?? {}) as { id?: string };
  return id !== undefined && OBJECT_ID_PATTERN.test(id) ? id : undefined;
}
