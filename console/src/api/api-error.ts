import type { ErrorBody } from './types.js';

/** The service rejected a request, or failed. */
export class ApiError extends Error {
  /** @param retryAfter seconds from the `Retry-After` header; null if it is absent */
  constructor(
    readonly status: number,
    readonly body: Partial<ErrorBody> & { readonly message: string },
    readonly retryAfter: number | null,
  ) {
    super(body.message);
  }
}

/** No complete response arrived, so the service may or may not have executed the request. */
export class NoResponse extends Error {}

/** No user is signed in. */
export class SessionEnded extends Error {}

/** The user has cancelled the write. */
export class Cancelled extends Error {}

/** The browser used no passkey: the user has cancelled, or there is none for this address. */
export class PasskeyUnused extends Error {}

/** Seconds before a retry if there is no response or no `Retry-After`. */
const PAUSE = 2;

/** Temporary statuses of the service or of a proxy in front of it. */
const TEMPORARY = [429, 502, 503, 504];

/** A 429 that lasts longer than the entered code is valid. */
const LOCK = 'TOO_MANY_WRONG_CODES';

/** Milliseconds before a failed request should be retried; null if a retry would not help. */
export function pauseAfter(error: unknown): number | null {
  if (error instanceof NoResponse) return PAUSE * 1000;
  if (!(error instanceof ApiError) || !TEMPORARY.includes(error.status)) return null;
  if (error.body.code === LOCK) return null;
  return (error.retryAfter ?? PAUSE) * 1000;
}

export interface Wait {
  readonly error: Error;
  /** Milliseconds since 1970. */
  readonly until: number;
}

/** The wait after a failed request; null if it is not retried. */
export function waitAfter(error: Error): Wait | null {
  const pause = pauseAfter(error);
  return pause === null ? null : { error, until: Date.now() + pause };
}

/** Whether this status means that a write was executed or rejected for good. */
export const isSettled = (status: number): boolean => status < 500 && status !== 429;

/** Whether an error means that the request was not executed. */
export const isRejection = (error: unknown): boolean =>
  error instanceof SessionEnded ||
  (error instanceof ApiError && (error.status < 500 || error.body.code === 'OVERLOADED'));

/** Whether an error means that the record or the user's role changed after the page loaded. */
export const isOutdated = (error: unknown): boolean =>
  error instanceof ApiError && [403, 404, 409].includes(error.status);

/** Treats 404 as success: an earlier attempt deleted the record, and its response was lost. */
export async function unlessGone(deletion: Promise<unknown>): Promise<void> {
  try {
    await deletion;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
  }
}

/** Converts an error response. It may come from a proxy, with any body. */
export function toApiError(response: Response, body: unknown): ApiError {
  const { status, headers } = response;
  const error = isErrorBody(body)
    ? body
    : { message: `The service responded with HTTP ${status}.` };
  return new ApiError(status, error, secondsOf(headers.get('Retry-After')));
}

/** Reads a `Retry-After` in seconds, or a date from a proxy. At least 1 second. */
function secondsOf(header: string | null): number | null {
  if (header === null) return null;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? null : Math.max(1, Math.ceil(seconds));
}

const isErrorBody = (body: unknown): body is ErrorBody =>
  typeof body === 'object' && body !== null && 'message' in body;
