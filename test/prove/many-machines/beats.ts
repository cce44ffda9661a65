import type { Counts } from '../overload/load.js';
import { runJob } from '../processes.js';
import { fingerprintOf } from './add-machines.js';

/** Machines of a license, each with an address of its own in 127.network.0.0/16. */
export interface Beating {
  readonly key: string;
  readonly network: number;
  /** The number of the first machine, and how many there are. */
  readonly first: number;
  readonly count: number;
}

export interface Beats {
  /** How many got which status and code, or no response. */
  readonly outcomes: Counts;
  /** Of the milliseconds from their due times. */
  readonly p99: number;
  readonly slowest: number;
}

/** Sends a heartbeat of each machine from another process, spread over these seconds. */
export function sendBeats(
  url: string,
  { key, network, first, count }: Beating,
  seconds: number,
): Promise<Beats> {
  const machines = Array.from({ length: count }, (_, i) => ({
    key,
    fingerprint: fingerprintOf(first + i),
  }));
  const job = { url, network, machines, seconds };
  return runJob<Beats>('many-machines/beat-generator.mjs', job);
}

/** What is wrong, if heartbeats were rejected. */
export function rejections(name: string, { outcomes }: Beats): string[] {
  const { 200: _accepted, ...others } = outcomes;
  return Object.entries(others).map(([outcome, times]) => `${name}: ${times} times ${outcome}`);
}
