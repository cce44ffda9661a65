import type { Counts } from './overload/load.js';
import { runJob } from './processes.js';

interface ScheduledRequest {
  readonly content: { readonly key: string; readonly fingerprint: string };
  readonly address: string;
  readonly isNew: boolean;
}

export interface Outcomes {
  readonly sent: number;
  /** How many were accepted (`200`), rejected with which status and code, or got no response. */
  readonly outcomes: Counts;
  /** Of the milliseconds from their due times until the responses, of those that were accepted. */
  readonly p99: number;
  readonly slowest: number;
}

/** Sends checks from another process, evenly over these seconds. A response that says `valid: false` counts as rejected. */
export function sendOnSchedule(
  url: string,
  seconds: number,
  requests: readonly ScheduledRequest[],
): Promise<Outcomes> {
  const job = { url, seconds, requests };
  return runJob('scheduled-sender.mjs', job);
}

export function rejectionsOf({ outcomes }: Outcomes): Counts {
  const { 200: _accepted, ...rejections } = outcomes;
  return rejections;
}
