import { setTimeout } from 'node:timers/promises';
import { type Developer, LAPTOP } from '../../e2e/developer.js';
import type { HttpCaller } from '../../http-caller.js';
import { Random } from '../../random.js';
import { FORM, type Outcome, SEED, times } from '../prove.js';
import type { Member } from '../../mongod/replica-set.js';
import type { Cluster } from './cluster.js';
import { Load } from '../killed/load.js';
import { isTemporary, PatientCaller } from '../patient-caller.js';

/** How long the store is away, in milliseconds. */
const OUTAGE = times({ short: 3_000, long: 60_000 });
const ROUNDS = times({ short: 1, long: 2 });

/** Longest times. In the short form, other work on the machine may lengthen them. */
const LONGEST = {
  'readiness 503 after ms': times({ short: 10_000, long: 5_000 }),
  'slowest response ms': times({ short: 10_000, long: 3_000 }),
  /** Until every instance is ready again. */
  'recovery ms': times({ short: 60_000, long: 15_000 }),
};

/** Interval of probes, in milliseconds. */
const PROBE_EVERY = 200;
/** Requests at once, as many as an instance has connections for. */
const AT_ONCE = 64;
const MEASURED = times({ short: 100, long: 5_000 });
/** Connections of an instance to the primary: its pool, and those that monitor the server. */
const CONNECTIONS = 100 + 4;

type OfMember = (member: Member) => unknown;

const OUTAGES: Readonly<Record<string, readonly [begin: OfMember, end: OfMember]>> = {
  hung: [({ process }) => process?.kill('SIGSTOP'), ({ process }) => process?.kill('SIGCONT')],
  stopped: [(member) => member.kill(), (member) => member.start()],
};

export async function storeOutage(cluster: Cluster): Promise<Outcome> {
  const random = new Random(SEED);
  const { service, instances, replicaSet } = cluster;
  const accounts = [await service.register(), await service.register()];
  const { key } = await service.createLicense(accounts[0]!);
  const failures: string[] = [];
  const seen = {
    ...{ 'readiness 503 after ms': 0, 'slowest response ms': 0, 'recovery ms': 0 },
    ...{ 'connections of the primary': 0, acknowledged: 0 },
  };
  const noteMost = (name: keyof typeof seen, value: number) =>
    (seen[name] = Math.max(seen[name], Math.round(value)));
  const before = await validationsPerSecond(service, key);
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
        noteMost('recovery ms', performance.now() - ended);
        for (const { unaware, slowest, failures: found } of await Promise.all(probing)) {
          noteMost('readiness 503 after ms', unaware);
          noteMost('slowest response ms', slowest);
          failures.push(...found.map((text) => `${name}: ${text}`));
        }
      });
      noteMost('slowest response ms', load.service.slowest);
      seen.acknowledged += load.acknowledged;
      failures.push(...load.failures);
      const found = await poolsOf(cluster, accounts);
      noteMost('connections of the primary', found.connections);
      failures.push(...found.failures.map((text) => `${name}: ${text}`));
    }
  }
  const after = await validationsPerSecond(service, key);
  const late = Object.entries(LONGEST).filter(
    ([name, longest]) => Reflect.get(seen, name) > longest,
  );
  failures.push(...late.map(([name, longest]) => `${name} is over ${longest}`));
  if (after < before / 2 && FORM === 'long') failures.push(`${after} validations a second`);
  return {
    figures: {
      outages: ROUNDS * Object.keys(OUTAGES).length,
      ...seen,
      'validations a second before': before,
      after,
    },
    failures,
  };
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

/** Uses every connection of each instance at once, and reads what the primary has open. */
async function poolsOf({ instances, replicaSet }: Cluster, accounts: readonly Developer[]) {
  const failures: string[] = [];
  for (const instance of instances) {
    // After an outage, an instance admits fewer requests at first.
    const caller = new PatientCaller(instance);
    const requests = Array.from({ length: AT_ONCE }, (_, i) =>
      caller.get('/clients', accounts[i % accounts.length]),
    );
    const statuses = (await Promise.all(requests)).map(({ status }) => status);
    const failed = statuses.filter((status) => status !== 200);
    if (failed.length > 0) failures.push(`${failed.length} of ${AT_ONCE} requests: ${failed[0]}`);
    if (caller.unavailable > 0) failures.push(`${caller.unavailable} times no store`);
  }
  const primary = await replicaSet.primary();
  const { connections, transactions } = await primary.command({ serverStatus: 1 });
  const open = Number(transactions.currentOpen);
  if (open > 0) failures.push(`${open} transactions are open`);
  const current = Number(connections.current);
  const most = instances.length * CONNECTIONS + AT_ONCE;
  if (current > most) failures.push(`${current} connections`);
  return { connections: current, failures };
}

/** Validations a second while no store is away. @throws Error if one is rejected */
async function validationsPerSecond(service: HttpCaller, key: string): Promise<number> {
  const begun = performance.now();
  let count = 0;
  const validate = async () => {
    for (; performance.now() - begun < MEASURED; count += 1) {
      const { status } = await service.post('/validate', { key, fingerprint: LAPTOP });
      if (status !== 200) throw new Error(`${status} to a validation`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, validate));
  return Math.round((count * 1000) / MEASURED);
}
