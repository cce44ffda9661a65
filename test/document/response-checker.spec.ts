import { readDocument } from './openapi-document.js';
import { type Exchange, ResponseChecker } from './response-checker.js';

const ID = '665f1c2ab7e4a90012345678';
const AT = '2026-01-31T10:15:00.000Z';
const CLIENT = {
  ...{ _id: ID, name: 'Acme Ltd', email: 'office@acme.example', owner: ID },
  ...{ createdAt: AT, updatedAt: AT },
};
const requestId = '0b0e2d34-9d6c-4b71-a0f5-6f0d9e5b1c55';
const HEADERS = { 'content-type': 'application/json', 'x-request-id': requestId };

/** The documented response to GET /clients/:id, with the changes of a case. */
const response = (change: Partial<Exchange>, headers: Record<string, string> = {}): Exchange => ({
  ...{ method: 'GET', url: `/clients/${ID}`, status: 200, body: CLIENT },
  headers: new Headers({ ...HEADERS, ...headers }),
  ...change,
});
const notFound = (code: string, message: string, fields: object = {}) =>
  response({ status: 404, body: { code, message, requestId, ...fields } });

describe('The check of responses against the document, which every e2e test must pass,', () => {
  const checker = new ResponseChecker(readDocument());

  it.each([
    ['a status', response({ status: 201 }), /201 to GET .* \(getClient\) .*status is not listed/],
    [
      'an inner property',
      response({ url: '/clients', body: { data: [{ ...CLIENT, key: 1 }], nextCursor: null } }),
      /additional.*key/,
    ],
    ['a body', response({ method: 'DELETE', status: 204, body: {} }), /no body is listed/],
    ['a content type', response({}, { 'content-type': 'text/html' }), /content type is text/],
    ['a code', notFound('CLIENT_GONE', 'x'), /code CLIENT_GONE is not listed/],
    ['a message', notFound('CLIENT_NOT_FOUND', 'Gone'), /message of CLIENT_NOT_FOUND is Gone/],
    [
      'a field of an error',
      notFound('CLIENT_NOT_FOUND', 'Client not found', { field: 'id' }),
      /example of CLIENT_NOT_FOUND has no field/,
    ],
    ['a header', response({}, { 'retry-after': '5' }), /Retry-After is not listed/],
    ['no required header', response({ headers: new Headers() }), /X-Request-Id is missing/],
    ['a route', response({ url: '/clients/1/2' }), /no such route/],
  ])('rejects a response with %s that is not listed, and says so', (_what, exchange, mismatch) => {
    expect(() => checker.check(exchange)).toThrow(mismatch);
  });
});
