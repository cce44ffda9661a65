import { Generator } from './generator.js';

export interface Job {
  readonly url: string;
  readonly requests: readonly string[];
  readonly connections: number;
  readonly seconds: number;
  /** Requests a second, sent on schedule. Without it, each connection sends its next request once it has a response. */
  readonly rate?: number;
}

/** What came back. */
export interface Load {
  readonly statuses: Readonly<Record<string, number>>;
  /** Failures that no response may be, and how often each happened. */
  readonly failures: Readonly<Record<string, number>>;
  /** Milliseconds of the requests that were not rejected, from when each was due. */
  readonly p50: number;
  readonly p99: number;
  readonly sent: number;
  /** Requests that were due and found every connection in use until the end. */
  readonly unsent: number;
  /** Of those that were not rejected. */
  readonly perSecond: number;
}

/** Sends requests from another process. */
export async function offer(job: Job): Promise<Load> {
  return (await Generator.start<Job, Load>('overload/load-generator.mjs')).run(job);
}
