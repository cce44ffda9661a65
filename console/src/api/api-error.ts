import type { ErrorBody } from './types.js';

/** The service rejected a request, or failed. */
export class ApiError extends Error {
  /** @param retryAfter seconds to wait, as the header `Retry-After` says; null if it is absent */
  constructor(
    readonly status: number,
    readonly body: Partial<ErrorBody> & { readonly message: string },
    readonly retryAfter: number | null,
  ) {
    super(body.message);
  }
}

/** No whole response has arrived: nobody knows whether the service has executed the request. */
export class NoResponse extends Error {}

/** Nobody is logged in. */
export class SessionEnded extends Error {}

/** The user has cancelled the write. */
export class Cancelled extends Error {}

/** Seconds until a request is repeated to which there was no response, or none that says how long to wait. */
const PAUSE = 2;

/** Statuses of a service, or of a proxy before it, that will respond otherwise after a while. */
const TEMPORARY = [429, 502, 503, 504];

/** Milliseconds until a failed request should be repeated; null if that would not help. */
export function pauseAfter(error: unknown): number | null {
  if (error instanceof NoResponse) return PAUSE * 1000;
  if (!(error instanceof ApiError) || !TEMPORARY.includes(error.status)) return null;
  return (error.retryAfter ?? PAUSE) * 1000;
}

export interface Wait {
  readonly error: Error;
  /** Milliseconds since 1970. */
  readonly until: number;
}

/** The wait that begins now, after a failed request; null if it is not repeated. */
export function waitAfter(error: Error): Wait | null {
  const pause = pauseAfter(error);
  return pause === null ? null : { error, until: Date.now() + pause };
}

/** Whether a response of this status says that a write was executed, or rejected for good. */
export const isSettled = (status: number): boolean => status < 500 && status !== 429;

/** Whether an error says that the request was not executed: the service had no time for it, or rejected it. */
export const isRejection = (error: unknown): boolean =>
  error instanceof SessionEnded ||
  (error instanceof ApiError && (error.status < 500 || error.body.code === 'OVERLOADED'));

/** Whether an error says that the record, or the caller's role, is another one by now than the page has shown. */
export const isOutdated = (error: unknown): boolean =>
  error instanceof ApiError && [403, 404, 409].includes(error.status);

/** A deletion. What is gone already was deleted by an earlier attempt, whose response was lost. */
export async function unlessGone(deletion: Promise<unknown>): Promise<void> {
  try {
    await deletion;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
  }
}

/** Reads a response that is no success. A proxy may have sent it, with any body. */
export function toApiError(response: Response, body: unknown): ApiError {
  const { status, headers } = response;
  const error = isErrorBody(body) ? body : { message: `The service responded with ${status}` };
  return new ApiError(status, error, secondsOf(headers.get('Retry-After')));
}

/** Reads a `Retry-After`: seconds, or the date of a proxy. It is at least 1 second. */
function secondsOf(header: string | null): number | null {
  if (header === null) return null;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? null : Math.max(1, Math.ceil(seconds));
}

const isErrorBody = (body: unknown): body is ErrorBody =>
  typeof body === 'object' && body !== null && 'message' in body;
