import { ResponseChecker, type Exchange } from './response-checker.js';
import type { OpenApiDocument, Schema } from './openapi-document.js';

const text: Schema = { type: 'string' };
const errorJson = {
  'application/json': {
    schema: { $ref: '#/components/schemas/ErrorBody' },
    examples: { CLIENT_NOT_FOUND: { value: { message: 'None' } } },
  },
};
const headers = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } };

const document: OpenApiDocument = {
  info: { version: '1' },
  tags: [],
  components: {
    examples: {},
    headers: {
      RequestId: { required: true, schema: text },
      RetryAfter: { schema: { type: 'integer' } },
    },
    schemas: {
      ErrorBody: { type: 'object', required: ['code'], properties: { code: text, message: text } },
      Owner: { type: 'object', required: ['name'], properties: { name: text } },
      ClientDto: {
        type: 'object',
        required: ['_id', 'reason', 'owner'],
        properties: {
          _id: { ...text, pattern: '^[0-9a-f]{24}$' } as Schema,
          reason: { ...text, nullable: true },
          createdAt: { ...text, format: 'date-time' },
          owner: {
            type: 'object',
            nullable: true,
            allOf: [{ $ref: '#/components/schemas/Owner' }],
          },
          notes: { type: 'array', items: text },
        },
      },
    },
  },
  paths: {
    '/clients/{id}': {
      get: {
        operationId: 'getClient',
        responses: {
          200: {
            description: 'It',
            headers,
            content: { 'application/json': { schema: { $ref: '#/components/schemas/ClientDto' } } },
          },
          404: { description: 'None', headers, content: errorJson },
          503: {
            description: 'Later',
            headers: { ...headers, 'Retry-After': { $ref: '#/components/headers/RetryAfter' } },
            content: errorJson,
          },
        },
      },
      delete: { operationId: 'deleteClient', responses: { 204: { description: 'Gone', headers } } },
    },
  },
};

const client = { _id: '665f1c2ab7e4a90012345678', reason: null, owner: { name: 'Ada' } };
const sent = { 'content-type': 'application/json; charset=utf-8', 'x-request-id': 'a' };

/** A response that is as the document says, but for what a case changes. */
function response(change: Partial<Omit<Exchange, 'headers'>>, changed: object = {}): Exchange {
  const all = Object.entries({ ...sent, ...changed }).filter(([, value]) => value !== undefined);
  return {
    ...{ method: 'GET', url: '/clients/1', status: 200, body: client },
    ...change,
    headers: new Headers(all),
  };
}

const error = (code: string, message = 'None') => ({ status: 404, body: { code, message } });

describe('ResponseChecker, without which no e2e test passes,', () => {
  const check = (exchange: Exchange) => () => new ResponseChecker(document).check(exchange);

  it.each([
    ['what is required and what is optional', response({ body: { ...client, notes: ['a'] } })],
    ['null where that is listed', response({ body: { ...client, owner: null } })],
    ['an error with a listed code', response(error('CLIENT_NOT_FOUND'))],
    ['no body', response({ method: 'DELETE', status: 204, body: undefined })],
    ['no body to HEAD', response({ method: 'HEAD', body: undefined })],
    ['no such route', response({ url: '/nowhere', ...error('ROUTE_NOT_FOUND') })],
    ['no URL', response({ url: '/clients/%zz', status: 400, body: { code: 'BAD_REQUEST' } })],
    ['a query', response({ url: '/clients/1?limit=1&cursor=a/b' })],
  ])('takes a response with %s', (_what, exchange) => {
    expect(check(exchange)).not.toThrow();
  });

  it.each([
    ['a status', response({ status: 201 }), /201 to GET .* \(getClient\) .*status is not listed/],
    ['no required property', response({ body: { ...client, _id: undefined } }), /required.*_id/],
    ['a property', response({ body: { ...client, key: 1 } }), /additional.*key/],
    [
      'an inner property',
      response({ body: { ...client, owner: { name: 'Ada', password: 'x' } } }),
      /additional.*password/,
    ],
    ['a type', response({ body: { ...client, notes: [1] } }), /notes\/0 must be str/],
    ['null', response({ body: { ...client, _id: null } }), /_id must be str/],
    ['no body', response({ body: undefined }), /body must be object/],
    ['a body', response({ method: 'DELETE', status: 204, body: {} }), /no body is listed/],
    ['a content type', response({}, { 'content-type': 'text/html' }), /content type is text/],
    ['a code', response(error('CLIENT_GONE')), /code CLIENT_GONE is not listed/],
    [
      'a message',
      response(error('CLIENT_NOT_FOUND', 'Gone')),
      /message of CLIENT_NOT_FOUND is Gone/,
    ],
    ['a header', response({}, { 'retry-after': '5' }), /Retry-After is not listed/],
    [
      'a header of another type',
      response({ ...error('CLIENT_NOT_FOUND'), status: 503 }, { 'retry-after': 'soon' }),
      /Retry-After: .* must be integer/,
    ],
    ['no required header', response({}, { 'x-request-id': undefined }), /X-Request-Id is missing/],
    ['a route', response({ url: '/clients/1/2' }), /no such route/],
    ['a method', response({ method: 'PUT' }), /no such route/],
  ])('rejects a response with %s that is not listed, and says so', (_what, exchange, mismatch) => {
    expect(check(exchange)).toThrow(mismatch);
  });
});
