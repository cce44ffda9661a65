// The limit of validation: Fastify with compiled schemas and no more than the response itself, which it signs where it has
// a certificate. On MongoDB it reads the license of each request by one findOne.
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import fastify from 'fastify';
import mongoose from 'mongoose';
import { DRIVER_OPTIONS } from '../../build/storage/mongo/connection/connection-options.js';

const body = {
  type: 'object',
  required: ['key'],
  properties: {
    key: { type: 'string' },
    fingerprint: { type: 'string' },
    product: { type: 'string' },
    certificate: { type: 'boolean' },
  },
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
    entitlements: { type: 'array', items: { type: 'string' } },
    certificate: { type: 'string' },
  },
};

const { privateKey } = generateKeyPairSync('ed25519');

/** Signs the claims of a certificate again, with an id and a time of their own. */
function signerOf(certificate) {
  const [header, payload] = certificate.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  return () => {
    const own = { ...claims, jti: randomUUID(), iat: Math.floor(Date.now() / 1000) };
    const input = `${header}.${Buffer.from(JSON.stringify(own)).toString('base64url')}`;
    return `${input}.${sign(null, Buffer.from(input), privateKey).toString('base64url')}`;
  };
}

/** @param {string} uri of a database whose licenses are found by the `key` of a request as their `keyHash` */
async function licensesOf(uri) {
  const { readConcern, readPreference, maxPoolSize } = DRIVER_OPTIONS;
  const options = { readConcern, readPreference, maxPoolSize };
  const client = await new mongoose.mongo.MongoClient(uri, options).connect();
  return client.db().collection('licenses');
}

process.once('message', async ({ headers, response, uri }) => {
  const server = fastify({ genReqId: () => randomUUID(), requestIdHeader: false });
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).headers(headers);
    done();
  });
  const again = response.certificate && signerOf(response.certificate);
  const licenses = uri && (await licensesOf(uri));
  const handlers = {
    fixed: () => response,
    signed: () => ({ ...response, certificate: again() }),
    found: async (request) => (await licenses.findOne({ keyHash: request.body.key })) && response,
  };
  const handler = handlers[licenses ? 'found' : again ? 'signed' : 'fixed'];
  server.post('/validate', { schema: { body, response: { 200: responseSchema } } }, handler);
  process.send(await server.listen({ port: 0, host: '127.0.0.1' }));
});
