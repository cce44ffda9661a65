import type { FastifyInstance } from 'fastify';
import { type Deadline, type RequestContext, requestContext } from '../shared/request-context.js';
import { addressOf } from './client-address.js';

/** Provides the request context once the body has arrived, so that a slow sender does not use up the deadline. */
export function provideRequestContext(fastify: FastifyInstance, deadline: Deadline): void {
  fastify.decorateRequest('clientAddress', undefined);
  fastify.addHook('preHandler', (request, _reply, done) => {
    const context: RequestContext = {
      requestId: request.id,
      address: addressOf(request),
      endsAt: performance.now() + deadline.milliseconds,
      isLicenseCheck: request.routeOptions.config.workClass === 'licenseChecks',
    };
    requestContext.run(context, done);
  });
}
