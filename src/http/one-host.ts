import type { FastifyInstance } from 'fastify';
import { DomainError } from '../shared/errors/domain-error.js';

/** Rejects a request with two `Host` headers (RFC 9112): Node reads the first, and a proxy may have read the second. */
export function rejectSecondHost(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', ({ raw: { rawHeaders } }, _reply, done) => {
    let hosts = 0;
    for (let i = 0; i < rawHeaders.length; i += 2) {
      const name = rawHeaders[i]!;
      if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
    }
    done(hosts > 1 ? new DomainError('BAD_REQUEST') : undefined);
  });
}
