import { readDocument } from './openapi-document.js';
import { type Exchange, ResponseChecker } from './response-checker.js';

const CLIENT = {
  ...{ _id: '665f1c2ab7e4a90012345678', name: 'Acme Ltd', email: 'office@acme.example' },
  owner: '665f1c2ab7e4a90012345679',
  ...{ createdAt: '2026-01-31T10:15:00.000Z', updatedAt: '2026-01-31T10:15:00.000Z' },
};
const LIST = { url: '/clients', body: { data: [CLIENT], nextCursor: 'a' } };
const SENT = {
  'content-type': 'application/json; charset=utf-8',
  'x-request-id': '0b0e2d34-9d6c-4b71-a0f5-6f0d9e5b1c55',
};

/** The response to GET /clients/:id as the document says, but for what a case changes. */
function response(change: Partial<Omit<Exchange, 'headers'>>, changed: object = {}): Exchange {
  const all = Object.entries({ ...SENT, ...changed }).filter(([, value]) => value !== undefined);
  return {
    ...{ method: 'GET', url: `/clients/${CLIENT._id}`, status: 200, body: CLIENT },
    ...change,
    headers: new Headers(all),
  };
}

const error = (status: number, code: string, message: string) => ({
  status,
  body: { code, message, requestId: SENT['x-request-id'] },
});
const NOT_FOUND = error(404, 'CLIENT_NOT_FOUND', 'Client not found');
const OVERLOADED = error(503, 'OVERLOADED', 'Service unavailable');

describe('ResponseChecker, without which no e2e test passes,', () => {
  const checker = new ResponseChecker(readDocument());

  it.each([
    ['a status', response({ status: 201 }), /201 to GET .* \(getClient\) .*status is not listed/],
    ['no required property', response({ body: { ...CLIENT, _id: undefined } }), /required.*_id/],
    ['a property', response({ body: { ...CLIENT, key: 1 } }), /additional.*key/],
    [
      'an inner property',
      response({ ...LIST, body: { ...LIST.body, data: [{ ...CLIENT, password: 'x' }] } }),
      /additional.*password/,
    ],
    ['null', response({ body: { ...CLIENT, _id: null } }), /_id must be str/],
    ['no body', response({ body: undefined }), /body must be object/],
    ['a body', response({ method: 'DELETE', status: 204, body: {} }), /no body is listed/],
    ['a content type', response({}, { 'content-type': 'text/html' }), /content type is text/],
    ['a code', response(error(404, 'CLIENT_GONE', 'x')), /code CLIENT_GONE is not listed/],
    [
      'a message',
      response(error(404, 'CLIENT_NOT_FOUND', 'Gone')),
      /message of CLIENT_NOT_FOUND is Gone/,
    ],
    [
      'a field of an error',
      response({ status: 404, body: { ...NOT_FOUND.body, field: 'id' } }),
      /example of CLIENT_NOT_FOUND has no field/,
    ],
    ['a header', response({}, { 'retry-after': '5' }), /Retry-After is not listed/],
    [
      'a header of another type',
      response(OVERLOADED, { 'retry-after': 'soon' }),
      /Retry-After: .* must be integer/,
    ],
    ['no required header', response({}, { 'x-request-id': undefined }), /X-Request-Id is missing/],
    ['a route', response({ url: '/clients/1/2' }), /no such route/],
    ['a method', response({ method: 'PUT' }), /no such route/],
  ])('rejects a response with %s that is not listed, and says so', (_what, exchange, mismatch) => {
    expect(() => checker.check(exchange)).toThrow(mismatch);
  });
});
