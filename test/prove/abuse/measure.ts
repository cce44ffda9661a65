import { setTimeout } from 'node:timers/promises';
import type { RunningService } from '../../smoke/running-service.js';
import { type Callers, type Counts, type Load, sendLoad } from '../overload/load.js';
import { runJob } from '../run-job.js';
import { watchProcess } from '../watch-process.js';
import { FINGERPRINT } from './filled-store.js';
import { holdStuck, type Stuck, type StuckCallers } from './stuck-callers.js';

/** The job of customer.mjs, but for the service, the duration and the keys. It validates from an address of its own. */
const CUSTOMER = { perSecond: 20, address: '127.9.0.1', fingerprint: FINGERPRINT };

/** Duration of a quick response, and timeout for a few of them in a row, in milliseconds. */
const QUICK = 50;
const LONGEST_WAIT = 3_000;
const FEW = 3;

/** The result of customer.mjs. */
interface Validations {
  readonly sent: number;
  /** The validations that did not find the license valid, by reason. */
  readonly rejected: Counts;
  /** Of the milliseconds of the other validations, from their due times; null where there are none. */
  readonly p99: number | null;
}

/** The service, how long it is measured, and the keys of the customer's licenses. */
interface Job {
  readonly service: RunningService;
  readonly seconds: number;
  readonly keys: readonly string[];
}

/** What the customer and the service had of a load. */
export type Measured = Awaited<ReturnType<typeof measure>>;

/** Runs a load while the customer validates. */
export const measure = (job: Job, load: Callers | StuckCallers) =>
  besideCustomer<Load | Stuck>(job, () => {
    const { seconds, service } = job;
    return 'requests' in load
      ? sendLoad({ url: service.url, seconds, ...load })
      : holdStuck(service.url, seconds, load);
  });

/** Does some work, which takes these seconds, while the customer validates. */
export async function besideCustomer<Result>(
  { service: { url, pid }, ...job }: Job,
  work: () => Promise<Result>,
) {
  const { peak, stop } = watchProcess(pid);
  try {
    const [validations, result] = await Promise.all([
      runJob<Validations>('abuse/customer.mjs', { url, ...job, ...CUSTOMER }),
      work(),
    ]);
    return { validations, result, ...peak };
  } finally {
    stop();
  }
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
