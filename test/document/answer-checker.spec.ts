import { AnswerChecker, type Exchange } from './answer-checker.js';
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

/** An answer that is as the document says, but for what a case changes. */
function answer(change: Partial<Omit<Exchange, 'headers'>>, changedHeaders = {}): Exchange {
  return {
    ...{ method: 'GET', url: '/clients/1', status: 200, body: client },
    ...change,
    headers: new Headers({ ...sent, ...changedHeaders }),
  };
}

const error = (code: string) => ({ status: 404, body: { code } });

describe('AnswerChecker', () => {
  const check = (exchange: Exchange) => () => new AnswerChecker(document).check(exchange);

  it.each([
    ['all that is required', answer({})],
    ['what is optional, too', answer({ body: { ...client, notes: ['a'] } })],
    ['null where that is listed', answer({ body: { ...client, owner: null } })],
    ['an error with a listed code', answer(error('CLIENT_NOT_FOUND'))],
    ['no body', answer({ method: 'DELETE', status: 204, body: undefined })],
    ['no body to HEAD', answer({ method: 'HEAD', body: undefined })],
    ['a header that is optional', answer({ ...error('CLIENT_NOT_FOUND'), status: 503 })],
    ['no such route', answer({ url: '/nowhere', ...error('ROUTE_NOT_FOUND') })],
    ['no URL', answer({ url: '/clients/%zz', status: 400, body: { code: 'BAD_REQUEST' } })],
    ['the documentation', answer({ url: '/docs-json', body: { openapi: '3.0.3' } })],
  ])('takes an answer with %s', (_what, exchange) => {
    expect(check(exchange)).not.toThrow();
  });

  it.each([
    ['a status that is not listed', answer({ status: 201 }), /status is not listed/],
    ['no required property', answer({ body: { ...client, _id: undefined } }), /required.*_id/],
    ['a property that is not listed', answer({ body: { ...client, key: 1 } }), /additional.*key/],
    [
      'an unlisted property deep inside',
      answer({ body: { ...client, owner: { name: 'Ada', password: 'x' } } }),
      /additional.*password/,
    ],
    ['a wrong type', answer({ body: { ...client, notes: 'a' } }), /notes must be array/],
    ['a wrong type in a list', answer({ body: { ...client, notes: [1] } }), /notes\/0 must be str/],
    ['another form', answer({ body: { ...client, _id: 'A' } }), /_id must match pattern/],
    [
      'no time where there should be one',
      answer({ body: { ...client, createdAt: '31 January' } }),
      /createdAt must match format/,
    ],
    [
      'null where that is not listed',
      answer({ body: { ...client, _id: null } }),
      /_id must be str/,
    ],
    [
      'null where only others may be null',
      answer({ body: { ...client, owner: { name: null } } }),
      /name must be string/,
    ],
    ['no body where one is listed', answer({ body: undefined }), /body must be object/],
    [
      'a body where none is listed',
      answer({ method: 'DELETE', status: 204, body: {} }),
      /no body is listed/,
    ],
    ['another content type', answer({}, { 'content-type': 'text/html' }), /content type is text/],
    ['a code that is not listed', answer(error('CLIENT_GONE')), /code CLIENT_GONE is not listed/],
    [
      'a header that is not listed',
      answer({}, { 'retry-after': '5' }),
      /Retry-After is not listed/,
    ],
    [
      'a header of a wrong type',
      answer({ ...error('CLIENT_NOT_FOUND'), status: 503 }, { 'retry-after': 'soon' }),
      /Retry-After: .* must be integer/,
    ],
    ['another route than any', answer({ url: '/nowhere' }), /no such route/],
    ['another method than any', answer({ method: 'PUT' }), /no such route/],
    [
      'another code for no route',
      answer({ url: '/nowhere', ...error('GONE') }),
      /the code is GONE/,
    ],
  ])('refuses an answer with %s, and says so', (_what, exchange, mismatch) => {
    expect(check(exchange)).toThrow(mismatch);
  });

  it('refuses an answer without a required header', () => {
    const exchange = answer({});
    exchange.headers.delete('x-request-id');
    expect(check(exchange)).toThrow(/X-Request-Id is missing/);
  });

  it('names the operation, the status and the request', () => {
    expect(check(answer({ status: 201 }))).toThrow(/201 to GET \/clients\/1 \(getClient\)/);
  });
});
