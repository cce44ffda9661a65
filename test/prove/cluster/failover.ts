import { setTimeout } from 'node:timers/promises';
import type { Developer } from '../../e2e/developer.js';
import type { HttpCaller } from '../../http-caller.js';
import { Random } from '../../random.js';
import { FORM, type Outcome, SEED, times } from '../prove.js';
import { APP_NAME, type Cluster } from './cluster.js';
import { Load } from '../killed/load.js';

const STEP_DOWNS = times({ short: 1, long: 10 });
const KILLS = times({ short: 1, long: 25 });
const STEP_DOWN = { replSetStepDown: 5, secondaryCatchUpPeriodSecs: 5, force: true };

// In the short form, other work on the machine may lengthen these times.
/** Maximum time from a failure until every instance has completed a write, in milliseconds. */
const LONGEST_OUTAGE = times({ short: 60_000, long: 15_000 });
/** The same for an instance killed during a transaction, whose locks MongoDB itself keeps for more than a minute. */
const LONGEST_LOCK = times({ short: 30_000, long: 10_000 });
/** Maximum response time, in milliseconds. */
const LONGEST_RESPONSE = times({ short: 10_000, long: 3_000 });

const TIMES = times({ short: 1, long: 20 });
/** Timeout for the failures of one command, in milliseconds. */
const TIMEOUT = 5_000;
/** How long the servers log every command, in milliseconds. */
const OBSERVED = times({ short: 2_000, long: 10_000 });
/** The same after a failure, in milliseconds. */
const AFTER_FAILURE = 500;

/** Commands no request waits for: the driver's monitoring and sessions, and ending a lost transaction. */
const BACKGROUND_COMMANDS = ['hello', 'ismaster', 'isMaster', 'endSessions', 'killSessions'];

const WRITES = [
  ...['insert', 'update', 'findAndModify', 'delete'],
  ...['commitTransaction', 'abortTransaction'],
];

const UNKNOWN_OUTCOME = { errorCode: 50, errorLabels: ['UnknownTransactionCommitResult'] };

/** Failures that any command may have. The server labels its own codes. */
const OF_ALL: Readonly<Record<string, object>> = {
  'a network error': { closeConnection: true },
  'a server that is no longer the primary': { errorCode: 10_107 },
  'a server that shuts down': { errorCode: 91 },
  'a conflict of transactions': { errorCode: 112, errorLabels: ['TransientTransactionError'] },
  'a lost transaction': { errorCode: 251, errorLabels: ['TransientTransactionError'] },
  'an unknown outcome': UNKNOWN_OUTCOME,
};
const OF_WRITES: Readonly<Record<string, object>> = {
  'a write that may be retried': {
    writeConcernError: { code: 91, errmsg: 'injected' },
    errorLabels: ['RetryableWriteError'],
  },
  'an unknown write concern': { writeConcernError: { code: 64, errmsg: 'injected' } },
};

export async function failover(cluster: Cluster): Promise<Outcome> {
  const random = new Random(SEED);
  const seen = {
    ...{ commands: 0, 'injected failures': 0, acknowledged: 0, 'rejected and sent again': 0 },
    'slowest response ms': 0,
  };
  const failures: string[] = [];

  const underLoad = async (what: string, fail: () => Promise<void>) => {
    const load = await Load.during(what, cluster, random, fail);
    seen.acknowledged += load.acknowledged;
    seen['rejected and sent again'] += load.service.repeated;
    const slowest = Math.round(load.service.slowest);
    seen['slowest response ms'] = Math.max(seen['slowest response ms'], slowest);
    if (slowest > LONGEST_RESPONSE) failures.push(`${what}: a response after ${slowest} ms`);
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

  for (let i = 1; i <= STEP_DOWNS + KILLS; i++) {
    const isKill = i > STEP_DOWNS;
    const name = isKill ? `kill ${i - STEP_DOWNS}` : `step-down ${i}`;
    await underLoad(name, async () => {
      const primary = await cluster.replicaSet.primary();
      const fail = () => (isKill ? primary.kill() : primary.command(STEP_DOWN));
      outages.push(await measured(name, fail));
      if (isKill) await primary.start();
    });
  }
  const killInstance = (ada: Developer) => killDuringTransaction(cluster, ada);
  const locked = await measured('a killed instance', killInstance, LONGEST_LOCK);
  failures.push(...(await cluster.contradictions()));
  await underLoad('injected', async () => {
    const names = await observeCommands(cluster);
    seen.commands = names.size;
    if (names.size === 0) failures.push('no command was observed');
    for (const [i, name] of [...names].entries()) {
      const possible = Object.entries({ ...OF_ALL, ...(WRITES.includes(name) && OF_WRITES) });
      // In the short form, each command must survive two of them.
      const tried =
        FORM === 'long' ? possible : [0, 3].map((n) => possible[(i + n) % possible.length]!);
      for (const [failure, data] of tried) {
        const count = await inject(cluster, name, data);
        seen['injected failures'] += count;
        if (count === 0) failures.push(`${name} never met ${failure}`);
      }
    }
  });
  return {
    figures: {
      'step-downs': STEP_DOWNS,
      kills: KILLS,
      ...seen,
      'longest outage ms': Math.max(...outages),
      'records of a killed instance locked for ms': locked,
    },
    failures,
  };
}

/** Kills an instance that is about to commit a change to a developer's records, and restarts it. */
async function killDuringTransaction(cluster: Cluster, ada: Developer): Promise<void> {
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

async function untilEachWrites(cluster: Cluster, ada: Developer): Promise<void> {
  const untilItWrites = async (instance: HttpCaller) => {
    while (!(await instance.createClient(ada).catch(() => undefined))) await setTimeout(50);
  };
  await Promise.all(cluster.instances.map(untilItWrites));
}

/** The names of the commands that the instances send under load, from the primary's log, including those that follow a failure. */
async function observeCommands(cluster: Cluster): Promise<ReadonlySet<string>> {
  const primary = await cluster.replicaSet.primary();
  const logged: Buffer[] = [];
  const log = (chunk: Buffer) => logged.push(chunk);
  primary.process!.stdout!.on('data', log);
  await primary.command({ profile: 0, slowms: -1 });
  await setTimeout(OBSERVED);
  await inject(cluster, 'commitTransaction', UNKNOWN_OUTCOME);
  await setTimeout(AFTER_FAILURE);
  await primary.command({ profile: 0, slowms: 100 });
  primary.process!.stdout!.off('data', log);
  const command = /"type":"command","ns":"[^"]*","appName":"license-service","command":\{"(\w+)"/g;
  const names = [...Buffer.concat(logged).toString().matchAll(command)].map(([, name]) => name!);
  return new Set(names.filter((name) => !BACKGROUND_COMMANDS.includes(name)));
}

/** Injects a failure, and returns how often it occurred. */
async function inject(cluster: Cluster, command: string, failure: object): Promise<number> {
  const primary = await cluster.replicaSet.primary();
  const point = { configureFailPoint: 'failCommand' };
  const data = { appName: APP_NAME, failCommands: [command], ...failure };
  const { count: before } = await primary.command({ ...point, mode: { times: TIMES }, data });
  const met = { waitForFailPoint: 'failCommand', timesEntered: Number(before) + TIMES };
  await primary.command({ ...met, maxTimeMS: TIMEOUT }).catch(() => undefined);
  const { count } = await primary.command({ ...point, mode: 'off' });
  return Number(count) - Number(before);
}
