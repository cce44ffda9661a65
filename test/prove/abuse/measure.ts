import fs from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import type { RunningService } from '../../smoke/running-service.js';
import { Generator } from '../overload/generator.js';
import { ResidentMemory } from '../overload/resident-memory.js';
import { FINGERPRINT } from './filled-store.js';
import type { Callers, StuckCallers } from './loads.js';
import type { CallersResult, StuckResult, Validations } from './results.js';

/** The customer validates from an address of its own. */
const CUSTOMER = '127.9.0.1';
const VALIDATIONS_A_SECOND = 20;
/** Sampling interval of the number of open connections, in milliseconds. */
const SAMPLE_EVERY = 500;

/** A quick response, and the longest wait for a few of them, in milliseconds: a busy machine may have none. */
const QUICK = 50;
const LONGEST_WAIT = 3_000;
const FEW = 3;

/** What a load has come to. */
export interface Measured {
  readonly validations: Validations;
  readonly result: CallersResult | StuckResult;
  /** Resident memory of the service, at most. */
  readonly megabytes: number;
  /** Connections that the service held at once, at most. */
  readonly connections: number;
}

interface Setting {
  readonly service: RunningService;
  /** Of the customer's licenses. */
  readonly keys: readonly string[];
  readonly seconds: number;
}

interface Target {
  readonly url: string;
  readonly seconds: number;
}

interface CustomerJob extends Target {
  readonly perSecond: number;
  readonly address: string;
  readonly keys: readonly string[];
  readonly fingerprint: string;
}

type CallersJob = Target & (Callers | StuckCallers);

/** Lets others call while the customer validates. */
export async function measure(
  { service, keys, seconds }: Setting,
  load: Callers | StuckCallers,
): Promise<Measured> {
  const { url, pid } = service;
  const customer = await Generator.start<CustomerJob, Validations>('abuse/customer.mjs');
  const callers = await Generator.start<CallersJob, CallersResult | StuckResult>(
    'requests' in load ? 'abuse/callers.mjs' : 'abuse/stuck-callers.mjs',
  );
  const memory = new ResidentMemory(pid);
  const connections = new OpenConnections(pid);
  const own = { perSecond: VALIDATIONS_A_SECOND, address: CUSTOMER, fingerprint: FINGERPRINT };
  try {
    const [validations, result] = await Promise.all([
      customer.run({ url, seconds, keys, ...own }),
      callers.run({ url, seconds, ...load }),
    ]);
    return { validations, result, megabytes: memory.peak, connections: connections.maxEntries };
  } finally {
    [customer, callers].forEach((generator) => generator.end());
    [memory, connections].forEach((watch) => watch.stop());
  }
}

/** Opens connections that make no progress, and waits until the service has closed them, or the time is over. */
export async function holdStuck(
  { url }: RunningService,
  seconds: number,
  load: StuckCallers,
): Promise<StuckResult> {
  const generator = await Generator.start<CallersJob, StuckResult>('abuse/stuck-callers.mjs');
  return generator.run({ url, seconds, ...load });
}

/** Waits until the service has done what the last load has left: until it responds quickly, a few times in a row. */
export async function untilCalm(service: RunningService): Promise<void> {
  const end = performance.now() + LONGEST_WAIT;
  for (let quick = 0; quick < FEW && performance.now() < end; await setTimeout(20)) {
    const sent = performance.now();
    const { status } = await service.get('/health/ready');
    quick = status === 200 && performance.now() - sent < QUICK ? quick + 1 : 0;
  }
}

/**
 * Watches how many connections a service holds beyond those of its start, until it is stopped. Counts the open files
 * of its process: the kernel's list of connections has all that were closed within the last minute, too, and takes
 * longer to read than the service takes to respond.
 */
class OpenConnections {
  maxEntries = 0;
  private readonly before = this.openFiles();
  private readonly timer = setInterval(() => {
    this.maxEntries = Math.max(this.maxEntries, this.openFiles() - this.before);
  }, SAMPLE_EVERY);

  constructor(private readonly pid: number) {}

  stop(): void {
    clearInterval(this.timer);
  }

  private openFiles(): number {
    return fs.readdirSync(`/proc/${this.pid}/fd`).length;
  }
}
