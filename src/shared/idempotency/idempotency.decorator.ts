import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { ApiErrors } from '../../openapi/decorators/api-route.js';
import type { Principal } from '../../auth/principal.js';
import { type IdempotentRequest, IdempotencyPipe } from './idempotency.pipe.js';

const requestOf = createParamDecorator(
  (partsOf: (body: unknown) => unknown[], context: ExecutionContext): IdempotentRequest => {
    const request = context.switchToHttp().getRequest<FastifyRequest & { user: Principal }>();
    const { method, url, body, user, headers } = request;
    const header = headers['idempotency-key'];
    return {
      header: Array.isArray(header) ? header.join(', ') : header,
      accountId: user.accountId,
      principal: user.id,
      request: [method, url, ...partsOf(body)],
    };
  },
);

const documented = applyDecorators(
  ApiHeader({
    name: 'Idempotency-Key',
    description:
      'A unique key that you generate for this request, such as a UUID (1 to 255 characters). If you repeat the request with ' +
      'the same key within 24 hours, it is not executed again and you get the first response.',
    required: false,
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example: '8e03978e-40d5-43dd-bc93-6894a57f9324',
  }),
  ApiErrors('IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_QUOTA_REACHED'),
);

/** Injects the idempotency record of a request, and documents the Idempotency-Key header on its route. */
const recordOf =
  (partsOf: (body: unknown) => unknown[]): ParameterDecorator =>
  (target, name, index) => {
    requestOf(partsOf, IdempotencyPipe)(target, name, index);
    documented(target, name, Object.getOwnPropertyDescriptor(target, name!));
  };

/** The idempotency record of an authenticated request; undefined without an idempotency key. */
export const Idempotency = () => recordOf((body) => [body]);

/** The same for a body with secrets: only these fields enter the request hash. */
export const IdempotencyOf = (...fields: string[]) => recordOf((body) => [pick(body, fields)]);

const pick = (body: unknown, fields: readonly string[]) =>
  Object.fromEntries(Object.entries(body ?? {}).filter(([field]) => fields.includes(field)));
