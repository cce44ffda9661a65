import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { HttpCaller, type HttpResponse } from '../http-caller.js';

/** Endpoints for which the specification requires a 500 for any failure. */
const SPECIFIED_500 = ['/clients', '/projects/createProject', '/validate/activate'];

/** The endpoint with a 429 without a code; with limits off, it means too many concurrent requests. */
const SPECIFIED_429 = '/validate/activate';

const TEMPORARY = [
  ...['STORE_UNAVAILABLE', 'OVERLOADED', 'TOO_MANY_CONCURRENT_REQUESTS'],
  // Readiness only.
  'SHUTTING_DOWN',
];

/** Whether a response documents that the request can be retried later. */
export function isTemporary(path: string, { status, headers, body }: HttpResponse): boolean {
  // Load balancers probe readiness at their own interval.
  if (!headers.has('retry-after') && path !== '/health/ready') return false;
  if (TEMPORARY.includes(body?.code)) return true;
  return status === 500 ? SPECIFIED_500.includes(path) : status === 429 && path === SPECIFIED_429;
}

/** Delay before a retry, in milliseconds. */
const PAUSE = 50;
/** How long a request is retried at most, in milliseconds. */
const GIVE_UP = 120_000;

/** Calls the service like its clients: retries a request while its response says that may help. */
export class PatientCaller extends HttpCaller {
  requests = 0;
  /** Requests that were retried, and how many of these because the store was unavailable. */
  repeated = 0;
  unavailable = 0;
  /** The longest response time, in milliseconds. */
  slowest = 0;
  /** Whether a request is also retried if its connection breaks. */
  allowsBrokenConnections = false;
  private readonly sendings = new WeakMap<HttpResponse, number>();

  constructor(private readonly caller: HttpCaller) {
    super(caller.url);
  }

  /** How often the request of a response was sent. */
  timesOf(response: HttpResponse): number {
    return this.sendings.get(response)!;
  }

  override async send(...request: Parameters<HttpCaller['send']>): Promise<HttpResponse> {
    const [method, path, body, call = {}] = request;
    // Its outcome may be unknown, in which case the first response stands for all.
    const isOnce = method === 'POST' && call.token !== undefined;
    const headers = call.headers ?? (isOnce ? { 'Idempotency-Key': randomUUID() } : {});
    const begun = performance.now();
    for (let times = 1; performance.now() - begun < GIVE_UP; times += 1) {
      this.requests += 1;
      const at = performance.now();
      const sent = this.caller.send(method, path, body, { ...call, headers });
      const response = await sent.catch((error: unknown) => {
        if (!this.allowsBrokenConnections) throw error;
        return undefined;
      });
      this.slowest = Math.max(this.slowest, performance.now() - at);
      if (response && !isTemporary(path, response)) {
        this.sendings.set(response, times);
        return response;
      }
      await setTimeout(PAUSE);
      // A draining instance reports it through readiness.
      if (path === '/health/ready') continue;
      this.repeated += 1;
      // If the specification requires a 500 for any failure, it does not mean overload.
      const isUnavailable = response?.status === 500 || response?.body.code === 'STORE_UNAVAILABLE';
      if (isUnavailable) this.unavailable += 1;
    }
    throw new Error(`${method} ${path} was rejected for ${GIVE_UP} ms`);
  }
}
