import type { HttpResponse } from '../http-caller.js';

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
