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

/** Duration of a quick response, and timeout for a few of them in a row, in milliseconds. */
const QUICK = 50;
const LONGEST_WAIT = 3_000;
const FEW = 3;

/** The result of a load. */
export interface Measured {
  readonly validations: Validations;
  readonly result: CallersResult | StuckResult;
  /** Most resident memory of the service. */
  readonly megabytes: number;
  /** Most connections that the service held at the same time. */
  readonly connections: number;
}

interface Setting {
  readonly service: RunningService;
  /** Keys of the customer's licenses. */
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

/** Runs a load while the customer validates. */
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
    return { validations, result, megabytes: memory.peak, connections: connections.peak };
  } finally {
    [customer, callers].forEach((generator) => generator.end());
    [memory, connections].forEach((watch) => watch.stop());
  }
}

/** Opens connections without progress, and waits until the service has closed them or the time is over. */
export async function holdStuck(
  { url }: RunningService,
  seconds: number,
  load: StuckCallers,
): Promise<StuckResult> {
  const generator = await Generator.start<CallersJob, StuckResult>('abuse/stuck-callers.mjs');
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
 * Samples the number of connections that a service holds in addition to those at the start, until it is stopped. It
 * counts the open files of the process: the kernel's list of connections also has those that were closed within the
 * last minute, and takes longer to read than the service takes to respond.
 */
class OpenConnections {
  peak = 0;
  private readonly before = this.openFiles();
  private readonly timer = setInterval(() => {
    this.peak = Math.max(this.peak, this.openFiles() - this.before);
  }, SAMPLE_EVERY);

  constructor(private readonly pid: number) {}

  stop(): void {
    clearInterval(this.timer);
  }

  private openFiles(): number {
    return fs.readdirSync(`/proc/${this.pid}/fd`).length;
  }
}
