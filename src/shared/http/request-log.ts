import { type FastifyReply, type FastifyRequest, LogController } from 'fastify';

/** Logs each request in one line, once it is answered. */
export class RequestLog extends LogController {
  override incomingRequest(): void {
    // Its one line comes with the answer.
  }

  override requestCompleted(
    error: Error | null | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    if (request.isShed) return;
    request.log.info(
      {
        method: request.method,
        // Without the query: it may hold names and e-mail addresses.
        path: request.url.split('?', 1)[0],
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        ip: request.ip,
        ...(error && { err: error }),
      },
      'request',
    );
  }
}
