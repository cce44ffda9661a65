import fs from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import type { RunningService } from '../../smoke/running-service.js';
import { Generator } from '../overload/generator.js';
import { ResidentMemory } from '../overload/resident-memory.js';
import { FINGERPRINT } from './filled-store.js';
import type { Callers, StuckCallers } from './loads.js';

/** The job of customer.mjs, but for the service, the duration and the keys. It validates from an address of its own. */
const CUSTOMER = { perSecond: 20, address: '127.9.0.1', fingerprint: FINGERPRINT };
/** Sampling interval of the number of open connections, in milliseconds. */
const SAMPLE_EVERY = 500;

/** Duration of a quick response, and timeout for a few of them in a row, in milliseconds. */
const QUICK = 50;
const LONGEST_WAIT = 3_000;
const FEW = 3;

/** Numbers by name. */
export type Counts = Readonly<Record<string, number>>;

/** The result of callers.mjs. */
export interface CallersResult {
  readonly statuses: Counts;
  /** Responses that no caller may get. */
  readonly failures: Counts;
  readonly opened: number;
  /** Connections that the service closed or did not accept. */
  readonly closed: number;
  /** Requests on connections that are still open, without a response. */
  readonly withoutResponse: number;
}

/** The result of stuck-callers.mjs: the longest time for which the service kept a connection, in seconds, by kind. */
export interface StuckResult {
  readonly longest: Counts;
}

/** The result of customer.mjs. */
interface Validations {
  readonly sent: number;
  /** The validations that did not find the license valid, by reason. */
  readonly rejected: Counts;
  /** Of the milliseconds of the other validations, from their due times; null where there are none. */
  readonly p99: number | null;
}

/** What the customer and the service had of some work. */
export interface Measured<Result = CallersResult | StuckResult> {
  readonly validations: Validations;
  readonly result: Result;
  /** Most resident memory of the service. */
  readonly megabytes: number;
  /** Most connections that the service held at the same time. */
  readonly connections: number;
}

/** The service, how long it is measured, and the keys of the customer's licenses. */
interface Job {
  readonly service: RunningService;
  readonly seconds: number;
  readonly keys: readonly string[];
}

/** Runs a load while the customer validates. */
export async function measure(job: Job, load: Callers | StuckCallers): Promise<Measured> {
  const callers = await Generator.start<CallersResult | StuckResult>(
    'requests' in load ? 'abuse/callers.mjs' : 'abuse/stuck-callers.mjs',
  );
  const { url } = job.service;
  try {
    return await besideCustomer(job, () => callers.run({ url, seconds: job.seconds, ...load }));
  } finally {
    callers.end();
  }
}

/** Does some work, which takes these seconds, while the customer validates. */
export async function besideCustomer<Result>(
  { service, ...job }: Job,
  work: () => Promise<Result>,
): Promise<Measured<Result>> {
  const { url, pid } = service;
  const customer = await Generator.start<Validations>('abuse/customer.mjs');
  const memory = new ResidentMemory(pid);
  const before = openFiles(pid);
  let connections = 0;
  const sampling = setInterval(() => {
    connections = Math.max(connections, openFiles(pid) - before);
  }, SAMPLE_EVERY);
  try {
    const [validations, result] = await Promise.all([
      customer.run({ url, ...job, ...CUSTOMER }),
      work(),
    ]);
    return { validations, result, megabytes: memory.peak, connections };
  } finally {
    customer.end();
    memory.stop();
    clearInterval(sampling);
  }
}

/** Opens connections without progress, and waits until the service has closed them or the time is over. */
export async function holdStuck({ url }: RunningService, seconds: number, load: StuckCallers) {
  const generator = await Generator.start<StuckResult>('abuse/stuck-callers.mjs');
  return generator.run({ url, seconds, ...load });
}

/** Waits until the last load has no effect any more: until the service responds quickly a few times in a row. */
export async function untilCalm(service: RunningService): Promise<void> {
  const end = performance.now() + LONGEST_WAIT;
  for (let quick = 0; quick < FEW && performance.now() < end; await setTimeout(20)) {
    const sent = performance.now();
    const { status } = await service.get('/health/ready');
    quick = status === 200 && performance.now() - sent < QUICK ? quick + 1 : 0;
  }
}

/**
 * Connections are counted among the open files of the process: the kernel's list of connections also has those that were
 * closed within the last minute, and takes longer to read than the service takes to respond.
 */
const openFiles = (pid: number): number => fs.readdirSync(`/proc/${pid}/fd`).length;
