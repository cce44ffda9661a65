import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import type { FastifyReply } from 'fastify';
import { AuthenticationGuard } from '../auth/access/authentication.guard.js';
import type { AuthenticatedRequest } from '../auth/principal.js';
import { Capacity } from '../http/capacity.js';
import { ImportsController } from './imports.controller.js';

/** Maximum size of the body of an import, in bytes. */
const BODY_LIMIT = 1024 * 1024;

/** Accepts the large bodies of imports, which are read only for callers with valid credentials. */
export function acceptLargeImports(app: NestFastifyApplication): void {
  const fastify = app.getHttpAdapter().getInstance();
  // Its handler tells the guard which route it is.
  const handler = Object.getOwnPropertyDescriptor(ImportsController.prototype, 'importLicenses');
  const authenticate = async (request: AuthenticatedRequest, reply: FastifyReply) => {
    const context = new ExecutionContextHost(
      [request, reply],
      ImportsController,
      handler!.value as () => unknown,
    );
    await app.get(AuthenticationGuard).canActivate(context);
    app.get(Capacity).admitAccount(request, request.user!.accountId);
  };
  fastify.addHook('onRoute', (route) => {
    if (route.config?.workClass !== 'imports') return;
    Object.assign(route, { bodyLimit: BODY_LIMIT, onRequest: authenticate });
  });
}
