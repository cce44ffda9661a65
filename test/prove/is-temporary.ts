import type { HttpResponse } from '../http-caller.js';

/** Endpoints on which the specification has a 500 for any failure. */
const SPECIFIED_500 = ['/clients', '/projects/createProject', '/validate/activate'];

const TEMPORARY = [
  ...['STORE_UNAVAILABLE', 'OVERLOADED', 'TOO_MANY_CONCURRENT_REQUESTS'],
  // Of readiness alone.
  'SHUTTING_DOWN',
];

/** Whether a response says, as documented, that the request may be sent again later. */
export function isTemporary(path: string, { status, headers, body }: HttpResponse): boolean {
  // Load balancers probe readiness, and have an interval of their own.
  if (!headers.has('retry-after') && path !== '/health/ready') return false;
  return TEMPORARY.includes(body?.code) || (status === 500 && SPECIFIED_500.includes(path));
}
