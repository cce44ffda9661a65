import { Generator } from './generator.js';

export interface Job {
  readonly url: string;
  /** As they are on the wire, sent in turn; see requests.mjs. */
  readonly requests: readonly string[];
  /** All are open before the first request. */
  readonly connections: number;
  readonly seconds: number;
  /** Requests a second, sent on schedule. Without it, each connection sends its next request once it has a response. */
  readonly rate?: number;
}

/** The result of a job. */
export interface Load {
  readonly statuses: Readonly<Record<string, number>>;
  /** How often each failure happened; none may. */
  readonly failures: Readonly<Record<string, number>>;
  /** Milliseconds from the due time of a request to its response, of those that were not rejected. */
  readonly p50: number;
  readonly p99: number;
  readonly sent: number;
  /** Requests that were due and found no idle connection until the end. */
  readonly unsent: number;
  /** Requests a second that were not rejected. */
  readonly perSecond: number;
}

/** Sends requests from another process. */
export async function offer(job: Job): Promise<Load> {
  return (await Generator.start<Load>('overload/load-generator.mjs')).run(job);
}
