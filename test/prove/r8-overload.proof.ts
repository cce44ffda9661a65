import { setTimeout } from 'node:timers/promises';
import type { RunningService } from '../smoke/running-service.js';
import { mixedRequests } from './overload/mixed-requests.js';
import { type Job, type Load, offer } from './overload/offer.js';
import { ResidentMemory } from './overload/resident-memory.js';
import { FORM, prove, SOME_ENGINES, times } from './prove.js';
import { withService } from './with-service.js';

const CAPACITY_SECONDS = times({ short: 1, long: 15 });
const OVERLOAD_SECONDS = times({ short: 3, long: 60 });
const TIMES_CAPACITY = 5;
/** Callers of the overload, each with a connection. */
const CALLERS = 2000;
/** Callers while the capacity is measured: few enough that nothing is rejected, even if all of them log in at once. */
const FEW_CALLERS = 24;
/** More than any service of one process can do, in requests a second. */
const MOST_OFFERED = 50_000;

/** Longest p99 of the requests that are not rejected, in milliseconds. */
const LONGEST = 500;
/** Most resident memory that an overload may add, in MB: V8's young generation takes up to 190, 2,000 connections about 40. */
const MEMORY = 320;

describe.each(SOME_ENGINES)('%s', (engine) => {
  prove('R8', engine, () =>
    withService(engine, {}, async (service) => {
      const requests = await mixedRequests(service);
      const { url } = service;
      const few = { url, requests, connections: FEW_CALLERS, seconds: CAPACITY_SECONDS };
      await offer(few);
      const { perSecond: capacity, statuses: measured } = await offer(few);

      const memory = new ResidentMemory(service.pid);
      const probes = { isOver: false };
      const probing = probeLiveness(service, probes);
      const rate = Math.round(capacity * TIMES_CAPACITY);
      const load = await overload({ url, requests, rate }).finally(() => memory.stop());
      probes.isOver = true;
      const probed = await probing;
      const after = await service.register().then(
        () => 201,
        () => 'a rejection',
      );

      const { statuses, p50, p99 } = load;
      const { 200: ok = 0, 201: created = 0, 429: limited = 0, 503: shed = 0, ...rest } = statuses;
      const { late = 0, ...others } = rest;
      const failures = [
        ...Object.entries(load.failures).map(([reason, count]) => `${count} times ${reason}`),
        ...Object.entries(others).map(([status, count]) => `${count} responses of ${status}`),
        ...probed.filter((status) => status !== 200).map((status) => `liveness said ${status}`),
        // Other load on the machine may be the only reason why the store is late.
        ...(late > times({ short: (ok + created) / 10, long: 0 })
          ? [`${late} times a late store`]
          : []),
        ...(measured[429] || measured[503] ? ['rejections while its capacity was measured'] : []),
        ...(shed === 0 ? ['nothing was rejected: it was no overload'] : []),
        ...(ok === 0 || created === 0 ? ['nothing was served'] : []),
        ...(memory.peak - memory.before > MEMORY ? [`it grew to ${memory.peak} MB`] : []),
        ...(after !== 201 ? [`right after the overload it responded ${after}`] : []),
        ...(p99 > LONGEST && FORM === 'long' ? [`a p99 of ${p99} ms`] : []),
      ];
      return {
        figures: {
          'capacity a second': Math.round(capacity),
          'offered a second': Math.round((load.sent + load.unsent) / OVERLOAD_SECONDS),
          served: ok + created,
          rejected: shed + limited,
          late,
          'p50 ms': p50,
          'p99 ms': p99,
          'MB before': memory.before,
          'MB at most': memory.peak,
        },
        failures,
      };
    }),
  );
});

/** Doubles the rate until something is rejected: the capacity was measured too low if the machine had other load. */
async function overload(job: Pick<Job, 'url' | 'requests'> & { rate: number }): Promise<Load> {
  const load = await offer({ ...job, connections: CALLERS, seconds: OVERLOAD_SECONDS });
  const isOverload = (load.statuses[503] ?? 0) > 0;
  return isOverload || job.rate > MOST_OFFERED ? load : overload({ ...job, rate: job.rate * 2 });
}

/** Probes liveness all the time, as an orchestrator would. */
async function probeLiveness(service: RunningService, run: { readonly isOver: boolean }) {
  const statuses: number[] = [];
  while (!run.isOver) {
    statuses.push((await service.get('/health/live')).status);
    await setTimeout(250);
  }
  return statuses;
}
