import type { FastifyReply, FastifyRequest, LogController } from 'fastify';
import { answerError } from '../errors/error.filter.js';
import { setAnswerHeaders } from './answer-headers.js';

/**
 * Responds to a request whose URL cannot be decoded, and logs it. Fastify runs no hook for one, so what
 * hooks do for every other request is done here.
 */
export function refuseUndecodableUrl(log: LogController) {
  return (error: Error, request: FastifyRequest, reply: FastifyReply): void => {
    setAnswerHeaders(request, reply);
    reply.raw.once('finish', () => log.requestCompleted(null, request, reply));
    answerError(error, request, reply);
  };
}
