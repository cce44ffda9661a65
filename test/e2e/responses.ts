import { ERRORS, type ErrorCode } from '../../src/shared/errors/error-codes.js';
import type { HttpResponse } from '../http-caller.js';

/** Expects exactly this status and body. */
export function expectResponse(
  { status, body }: Pick<HttpResponse, 'status' | 'body'>,
  ...expected: readonly [status: number, body: unknown]
): void {
  expect([status, body]).toEqual(expected);
}

/** Expects an error with this code, its documented status, and optional fields. */
export function expectError(
  { status, body }: HttpResponse,
  code: ErrorCode,
  fields: object = {},
): void {
  expect([status, body?.code]).toEqual([ERRORS[code].status, code]);
  expect(body).toMatchObject(fields);
}

/** Expects a rejection that names exactly these fields, with reasons. */
export function expectInvalid(response: HttpResponse, ...fields: string[]): void {
  expectError(response, 'VALIDATION_ERROR', { message: 'Validation error' });
  expect(Object.keys(response.body.errors as object)).toEqual(fields);
  expect(response.body.details).not.toMatch(/regular expression|'s elements/);
}

/** Repeats the same call this many times concurrently. */
export const atOnce = <T>(count: number, what: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => what(index)));

/**
 * Waits until each request has called a method that holds it, or has its response.
 *
 * @returns the responses so far
 */
export async function untilHeld(
  requests: readonly Promise<HttpResponse>[],
  { mock }: { readonly mock: { readonly calls: readonly unknown[] } },
): Promise<HttpResponse[]> {
  const responses: HttpResponse[] = [];
  for (const request of requests) void request.then((response) => responses.push(response));
  while (mock.calls.length + responses.length < requests.length) await new Promise(setImmediate);
  return responses;
}

export const statusesOf = (responses: readonly HttpResponse[]): number[] =>
  responses.map(({ status }) => status);

/** Counts these responses by error code, or by status for successes. */
export const countsOf = (responses: readonly HttpResponse[]) => {
  const counts: Record<string, number> = {};
  for (const { status, body } of responses) {
    const outcome = body?.code ?? status;
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
};

/** The rate limit in a response: limit, remaining requests, and seconds until the window ends. */
export const rateLimitOf = ({ headers }: HttpResponse) =>
  ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}`));

/** The status of a response, its rate limit, and its Retry-After in seconds. */
export const rejectionOf = (response: HttpResponse) => [
  ...[response.status, ...rateLimitOf(response), response.headers.get('retry-after')],
];

/** All parts of a response that callers can compare with another response. */
export const visible = ({ status, headers, body }: HttpResponse) => ({
  status,
  headers: [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name)),
  text: JSON.stringify({ ...body, ...(body.requestId && { requestId: '' }) }),
});
