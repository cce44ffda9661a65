import createClient from 'openapi-fetch';
import { SERVICE } from '../shared/deployment.js';
import { ApiError, NoResponse, SessionEnded, toApiError } from './api-error.js';
import type { paths } from './schema.js';

/** Timeout of a request, in milliseconds: the service itself gives up after 3 seconds. */
const TIMEOUT = 10_000;

/** The API client for requests without an access token. */
export const publicApi = createClient<paths>({
  baseUrl: SERVICE,
  fetch: (request) => fetchInTime(request),
});

export function fetchInTime(request: Request, timeout = TIMEOUT): Promise<Response> {
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeout)]);
  return fetch(request, { signal });
}

/** The result of openapi-fetch. */
interface Result<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

/**
 * The body of a successful response.
 *
 * @throws ApiError, NoResponse, SessionEnded
 */
export async function bodyOf<Data>(request: Promise<Result<Data>>): Promise<Data> {
  const { data, error, response } = await request.catch(rethrow);
  if (!response.ok) throw toApiError(response, error);
  return data as Data;
}

/** Requests fail with a TypeError or a timeout; truncated bodies also with a SyntaxError. */
function rethrow(cause: unknown): never {
  const isKnown = cause instanceof ApiError || cause instanceof SessionEnded;
  const isCancelled = cause instanceof DOMException && cause.name === 'AbortError';
  throw isKnown || isCancelled || cause instanceof NoResponse
    ? cause
    : new NoResponse('No response', { cause });
}
