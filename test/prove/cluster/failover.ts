import { setTimeout } from 'node:timers/promises';
import type { Developer } from '../../e2e/developer.js';
import { Random } from '../../random.js';
import { type Outcome, SEED, times } from '../prove.js';
import { APP_NAME, type Cluster } from './cluster.js';
import { injectEach, observeCommands } from './injected-failures.js';
import { Load } from '../killed/load.js';

const STEP_DOWNS = times({ short: 1, long: 10 });
const KILLS = times({ short: 1, long: 10 });

// In the short form, other work on the machine may lengthen these times.
/** Longest time from a failure until every instance has done a write, in milliseconds. */
const LONGEST_OUTAGE = times({ short: 60_000, long: 15_000 });
/** The same for an instance that is killed amid a transaction, whose locks MongoDB itself keeps for more than a minute. */
const LONGEST_LOCK = times({ short: 30_000, long: 10_000 });
/** Longest time until a response, in milliseconds. */
const LONGEST_RESPONSE = times({ short: 10_000, long: 3_000 });

/** R4: MongoDB fails over. */
export async function failover(cluster: Cluster): Promise<Outcome> {
  const random = new Random(SEED);
  const seen = { acknowledged: 0, repeated: 0, slowest: 0 };
  const failures: string[] = [];

  const underLoad = async (what: string, fail: () => Promise<void>) => {
    const load = await Load.during(what, cluster, random, fail);
    seen.acknowledged += load.acknowledged;
    seen.repeated += load.repeated;
    seen.slowest = Math.max(seen.slowest, Math.round(load.slowest));
    failures.push(...load.failures);
  };
  const measured = async (
    what: string,
    fail: (ada: Developer) => Promise<unknown>,
    longest = LONGEST_OUTAGE,
  ): Promise<number> => {
    // Access tokens expire after 15 minutes.
    const ada = await cluster.service.register();
    const begun = performance.now();
    await fail(ada);
    await untilEachWrites(cluster, ada);
    const outage = Math.round(performance.now() - begun);
    if (outage > longest) failures.push(`${what}: back after ${outage} ms`);
    return outage;
  };
  const outages: number[] = [];

  for (let i = 1; i <= STEP_DOWNS; i++) {
    await underLoad(`step-down ${i}`, async () => {
      const primary = await cluster.replicaSet.primary();
      const stepDown = { replSetStepDown: 5, secondaryCatchUpPeriodSecs: 5, force: true };
      const fail = () => primary.command(stepDown);
      outages.push(await measured(`step-down ${i}`, fail));
    });
  }
  for (let i = 1; i <= KILLS; i++) {
    await underLoad(`kill ${i}`, async () => {
      const primary = await cluster.replicaSet.primary();
      outages.push(await measured(`kill ${i}`, () => primary.kill()));
      await primary.start();
    });
  }
  const killInstance = (ada: Developer) => killAmidTransaction(cluster, ada);
  const locked = await measured('a killed instance', killInstance, LONGEST_LOCK);
  failures.push(...(await cluster.contradictions()));
  let commands: ReadonlySet<string> = new Set();
  let injected = 0;
  await underLoad('injected', async () => {
    commands = await observeCommands(cluster);
    const all = await injectEach(cluster, commands);
    injected = all.injected;
    failures.push(...all.missed);
  });
  if (seen.slowest > LONGEST_RESPONSE) failures.push(`a response after ${seen.slowest} ms`);
  return {
    figures: {
      'step-downs': STEP_DOWNS,
      kills: KILLS,
      commands: commands.size,
      'injected failures': injected,
      acknowledged: seen.acknowledged,
      'rejected and sent again': seen.repeated,
      'longest outage ms': Math.max(...outages),
      'records of a killed instance locked for ms': locked,
      'slowest response ms': seen.slowest,
      failures: failures.length,
    },
    failures,
  };
}

/** Kills an instance that is about to commit a change of a developer's records, and starts it again. */
async function killAmidTransaction(cluster: Cluster, ada: Developer): Promise<void> {
  const primary = await cluster.replicaSet.primary();
  const blocked = { blockConnection: true, blockTimeMS: 60_000, appName: APP_NAME };
  const { count } = await primary.command({
    configureFailPoint: 'failCommand',
    mode: { times: 1 },
    data: { failCommands: ['commitTransaction'], ...blocked },
  });
  void cluster.instances[0]!.createClient(ada).catch(() => undefined);
  const timesEntered = Number(count) + 1;
  await primary.command({ waitForFailPoint: 'failCommand', timesEntered, maxTimeMS: 5_000 });
  await cluster.restart(0, 'SIGKILL');
}

/** Waits until each instance has done a write. */
async function untilEachWrites(cluster: Cluster, ada: Developer): Promise<void> {
  await Promise.all(
    cluster.instances.map(async (instance) => {
      for (;;) {
        const client = await instance.createClient(ada).catch(() => undefined);
        if (client) return;
        await setTimeout(50);
      }
    }),
  );
}
