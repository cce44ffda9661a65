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
