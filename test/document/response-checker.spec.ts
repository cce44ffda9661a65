import { ResponseChecker, type Exchange } from './response-checker.js';
import type { OpenApiDocument, Schema } from './openapi-document.js';

const text: Schema = { type: 'string' };
const errorJson = {
  'application/json': {
    schema: { $ref: '#/components/schemas/ErrorBody' },
    examples: { CLIENT_NOT_FOUND: { value: {} } },
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
      ErrorBody: { type: 'object', required: ['code'], properties: { code: text } },
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
function response(change: Partial<Omit<Exchange, 'headers'>>, changedHeaders = {}): Exchange {
  return {
    ...{ method: 'GET', url: '/clients/1', status: 200, body: client },
    ...change,
    headers: new Headers({ ...sent, ...changedHeaders }),
  };
}

const error = (code: string) => ({ status: 404, body: { code } });

describe('ResponseChecker', () => {
  const check = (exchange: Exchange) => () => new ResponseChecker(document).check(exchange);

  it.each([
    ['all that is required', response({})],
    ['what is optional, too', response({ body: { ...client, notes: ['a'] } })],
    ['null where that is listed', response({ body: { ...client, owner: null } })],
    ['an error with a listed code', response(error('CLIENT_NOT_FOUND'))],
    ['no body', response({ method: 'DELETE', status: 204, body: undefined })],
    ['no body to HEAD', response({ method: 'HEAD', body: undefined })],
    ['a header that is optional', response({ ...error('CLIENT_NOT_FOUND'), status: 503 })],
    ['no such route', response({ url: '/nowhere', ...error('ROUTE_NOT_FOUND') })],
    ['no URL', response({ url: '/clients/%zz', status: 400, body: { code: 'BAD_REQUEST' } })],
    ['the documentation', response({ url: '/docs-json', body: { openapi: '3.0.3' } })],
  ])('takes a response with %s', (_what, exchange) => {
    expect(check(exchange)).not.toThrow();
  });

  it.each([
    ['a status that is not listed', response({ status: 201 }), /status is not listed/],
    ['no required property', response({ body: { ...client, _id: undefined } }), /required.*_id/],
    ['a property that is not listed', response({ body: { ...client, key: 1 } }), /additional.*key/],
    [
      'an unlisted property deep inside',
      response({ body: { ...client, owner: { name: 'Ada', password: 'x' } } }),
      /additional.*password/,
    ],
    ['a wrong type', response({ body: { ...client, notes: 'a' } }), /notes must be array/],
    [
      'a wrong type in a list',
      response({ body: { ...client, notes: [1] } }),
      /notes\/0 must be str/,
    ],
    ['another form', response({ body: { ...client, _id: 'A' } }), /_id must match pattern/],
    [
      'no time where there should be one',
      response({ body: { ...client, createdAt: '31 January' } }),
      /createdAt must match format/,
    ],
    [
      'null where that is not listed',
      response({ body: { ...client, _id: null } }),
      /_id must be str/,
    ],
    [
      'null where only others may be null',
      response({ body: { ...client, owner: { name: null } } }),
      /name must be string/,
    ],
    ['no body where one is listed', response({ body: undefined }), /body must be object/],
    [
      'a body where none is listed',
      response({ method: 'DELETE', status: 204, body: {} }),
      /no body is listed/,
    ],
    ['another content type', response({}, { 'content-type': 'text/html' }), /content type is text/],
    ['a code that is not listed', response(error('CLIENT_GONE')), /code CLIENT_GONE is not listed/],
    [
      'a header that is not listed',
      response({}, { 'retry-after': '5' }),
      /Retry-After is not listed/,
    ],
    [
      'a header of a wrong type',
      response({ ...error('CLIENT_NOT_FOUND'), status: 503 }, { 'retry-after': 'soon' }),
      /Retry-After: .* must be integer/,
    ],
    ['another route than any', response({ url: '/nowhere' }), /no such route/],
    ['another method than any', response({ method: 'PUT' }), /no such route/],
    [
      'another code for no route',
      response({ url: '/nowhere', ...error('GONE') }),
      /the code is GONE/,
    ],
  ])('rejects a response with %s, and says so', (_what, exchange, mismatch) => {
    expect(check(exchange)).toThrow(mismatch);
  });

  it('rejects a response without a required header', () => {
    const exchange = response({});
    exchange.headers.delete('x-request-id');
    expect(check(exchange)).toThrow(/X-Request-Id is missing/);
  });

  it('names the operation, the status and the request', () => {
    expect(check(response({ status: 201 }))).toThrow(/201 to GET \/clients\/1 \(getClient\)/);
  });
});
