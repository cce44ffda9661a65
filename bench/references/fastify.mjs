// The reference for validation: Fastify with compiled schemas and nothing but the response itself. On MongoDB it reads
// a license per request.
import { randomUUID } from 'node:crypto';
import fastify from 'fastify';
import mongoose from 'mongoose';

const text = { type: 'string' };
const texts = { type: 'array', items: text };
const body = {
  type: 'object',
  required: ['key'],
  properties: { key: text, fingerprint: text, product: text, certificate: { type: 'boolean' } },
};
const response = {
  type: 'object',
  properties: {
    ...{ valid: { type: 'boolean' }, status: text, message: text, duration: { type: 'integer' } },
    ...{ services: texts, activatedAt: text, expiresAt: text, entitlements: texts },
  },
};

process.once('disconnect', () => process.exit());
process.once('message', async ({ headers, content, uri }) => {
  const server = fastify({ genReqId: () => randomUUID(), requestIdHeader: false });
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).headers(headers);
    done();
  });
  const handler = uri ? await finding(uri, content) : () => content;
  server.post('/validate', { schema: { body, response: { 200: response } } }, handler);
  process.send(await server.listen({ port: 0, host: '127.0.0.1' }));
});

/** With as many connections as the service, and the same read concern. */
async function finding(uri, content) {
  const options = { readConcernLevel: 'majority', maxPoolSize: 100 };
  const client = await new mongoose.mongo.MongoClient(uri, options).connect();
  const licenses = client.db().collection('licenses');
  const all = await licenses.find({ status: 'ACTIVE' }).project({ keyHash: 1 }).toArray();
  let next = 0;
  return async () => {
    const { keyHash } = all[next++ % all.length];
    return (await licenses.findOne({ keyHash })) && content;
  };
}
