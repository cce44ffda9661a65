import { setTimeout } from 'node:timers/promises';
import type { HttpCaller } from '../../http-caller.js';
import { Random } from '../../random.js';
import { type Outcome, SEED, times } from '../prove.js';
import type { Member } from '../../mongod/replica-set.js';
import type { Cluster } from './cluster.js';
import { Load } from '../killed/load.js';
import { isTemporary } from '../patient-caller.js';

/** How long the store is down, in milliseconds. */
const OUTAGE = times({ short: 3_000, long: 60_000 });
const ROUNDS = times({ short: 1, long: 2 });

/** Maximum times. In the short form, other work on the machine may lengthen them. */
const LONGEST = {
  'readiness 503 after ms': times({ short: 10_000, long: 5_000 }),
  'slowest response ms': times({ short: 10_000, long: 3_000 }),
  /** Until every instance is ready again. */
  'recovery ms': times({ short: 60_000, long: 15_000 }),
};

/** Probe interval, in milliseconds. */
const PROBE_EVERY = 200;

type OfMember = (member: Member) => unknown;

const OUTAGES: Readonly<Record<string, readonly [begin: OfMember, end: OfMember]>> = {
  hung: [(member) => member.hang(), (member) => member.resume()],
  stopped: [(member) => member.kill(), (member) => member.start()],
};

export async function storeOutage(cluster: Cluster): Promise<Outcome> {
  const random = new Random(SEED);
  const { instances, replicaSet } = cluster;
  const failures: string[] = [];
  const seen = {
    ...{ 'readiness 503 after ms': 0, 'slowest response ms': 0, 'recovery ms': 0 },
    acknowledged: 0,
  };
  const raise = (name: keyof typeof seen, value: number) =>
    (seen[name] = Math.max(seen[name], Math.round(value)));
  for (let round = 1; round <= ROUNDS; round++) {
    for (const [name, [begin, end]] of Object.entries(OUTAGES)) {
      const load = await Load.during(name, cluster, random, async () => {
        const begun = performance.now();
        const probing = instances.map((instance) => probe(instance, begun));
        await Promise.all(replicaSet.members.map(begin));
        await setTimeout(OUTAGE);
        const ended = performance.now();
        await Promise.all(replicaSet.members.map(end));
        await cluster.untilReady();
        raise('recovery ms', performance.now() - ended);
        for (const { unaware, slowest, failures: found } of await Promise.all(probing)) {
          raise('readiness 503 after ms', unaware);
          raise('slowest response ms', slowest);
          failures.push(...found.map((text) => `${name}: ${text}`));
        }
      });
      raise('slowest response ms', load.service.slowest);
      seen.acknowledged += load.acknowledged;
      failures.push(...load.failures);
    }
  }
  const late = Object.entries(LONGEST).filter(
    ([name, longest]) => Reflect.get(seen, name) > longest,
  );
  failures.push(...late.map(([name, longest]) => `${name} is over ${longest}`));
  return { figures: { outages: ROUNDS * Object.keys(OUTAGES).length, ...seen }, failures };
}

/** Probes an instance until it is ready again. Liveness must always be 200. */
async function probe(instance: HttpCaller, begun: number) {
  const seen = { unaware: Infinity, slowest: 0, failures: [] as string[] };
  for (;;) {
    const sent = performance.now();
    const live = await instance.get('/health/live');
    const ready = await instance.get('/health/ready');
    seen.slowest = Math.max(seen.slowest, performance.now() - sent);
    if (live.status !== 200) seen.failures.push(`liveness was ${live.status}`);
    if (ready.status !== 200 && !isTemporary('/health/ready', ready)) {
      seen.failures.push(`readiness was ${ready.status} ${JSON.stringify(ready.body)}`);
    }
    if (ready.status === 503) seen.unaware = Math.min(seen.unaware, performance.now() - begun);
    if (ready.status === 200 && seen.unaware < Infinity) return seen;
    await setTimeout(PROBE_EVERY);
  }
}
