// The limit of validation: Fastify with compiled schemas and no more than the response itself.
import { randomUUID } from 'node:crypto';
import fastify from 'fastify';

const body = {
  type: 'object',
  required: ['key'],
  properties: { key: { type: 'string' }, fingerprint: { type: 'string' } },
};

const responseSchema = {
  type: 'object',
  properties: {
    valid: { type: 'boolean' },
    status: { type: 'string' },
    message: { type: 'string' },
    duration: { type: 'integer' },
    services: { type: 'array', items: { type: 'string' } },
    activatedAt: { type: 'string' },
    expiresAt: { type: 'string' },
  },
};

process.once('message', async ({ headers, response }) => {
  const server = fastify({ genReqId: () => randomUUID(), requestIdHeader: false });
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).headers(headers);
    done();
  });
  server.post('/validate', { schema: { body, response: { 200: responseSchema } } }, () => response);
  process.send(await server.listen({ port: 0, host: '127.0.0.1' }));
});
