import type { HttpResponse } from '../http-caller.js';

/** Expects exactly this status and body. */
export function expectResponse(
  { status, body }: Pick<HttpResponse, 'status' | 'body'>,
  ...expected: readonly [status: number, body: unknown]
): void {
  expect([status, body]).toEqual(expected);
}

/** Expects an error with this status and code, and the rest of what is given. */
export function expectError(
  { status, body }: HttpResponse,
  expected: readonly [status: number, code: string],
  fields: object = {},
): void {
  expect([status, body?.code]).toEqual(expected);
  expect(body).toMatchObject(fields);
}

/** Expects a rejection that names exactly these fields, with reasons. */
export function expectInvalid(response: HttpResponse, ...fields: string[]): void {
  expectError(response, [400, 'VALIDATION_ERROR'], { message: 'Validation error' });
  expect(Object.keys(response.body.errors as object)).toEqual(fields);
  expect(response.body.details).not.toMatch(/regular expression|'s elements/);
}

/** Does the same this many times at once. */
export const atOnce = <T>(count: number, what: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => what(index)));

export const statusesOf = (responses: readonly HttpResponse[]): number[] =>
  responses.map(({ status }) => status);

/** How many of these responses there are, by the code of their error, or by the status of a success. */
export const countsOf = (responses: readonly HttpResponse[]) => {
  const counts: Record<string, number> = {};
  for (const { status, body } of responses) {
    const outcome = body?.code ?? status;
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
};

/** The rate limit that a response shows: its requests, those that remain, and the seconds until its window ends. */
export const rateLimitOf = ({ headers }: HttpResponse) =>
  ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}`));

/** The status of a response, its rate limit, and the seconds after which to come back. */
export const rejectionOf = (response: HttpResponse) => [
  ...[response.status, ...rateLimitOf(response), response.headers.get('retry-after')],
];

/** Everything of a response that its caller can compare with that of another. */
export const visible = ({ status, headers, body }: HttpResponse) => ({
  status,
  headers: [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name)),
  text: JSON.stringify({ ...body, ...(body.requestId && { requestId: '' }) }),
});
