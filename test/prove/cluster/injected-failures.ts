import { setTimeout } from 'node:timers/promises';
import { times } from '../prove.js';
import { APP_NAME, type Cluster } from './cluster.js';

/** Failures of each command. */
const TIMES = times({ short: 1, long: 20 });
/** Timeout for the failures of one command, in milliseconds. */
const TIMEOUT = 5_000;
/** For how long the servers log every command, in milliseconds. */
const OBSERVED = times({ short: 2_000, long: 10_000 });
/** The same after a failure, in milliseconds. */
const AFTER_FAILURE = 500;

/** What no request waits for: the driver's monitoring and sessions, and the end of a transaction that was lost. */
const BESIDE_REQUESTS = ['hello', 'ismaster', 'isMaster', 'endSessions', 'killSessions'];

const WRITES = ['insert', 'update', 'findAndModify', 'delete'];
const ENDS = ['commitTransaction', 'abortTransaction'];

/** Failures, with the commands in which servers have them if these are not all. The server labels its own codes. */
export const FAILURES: Readonly<Record<string, { data: object; only?: readonly string[] }>> = {
  'a network error': { data: { closeConnection: true } },
  'a server that is no longer the primary': { data: { errorCode: 10_107 } },
  'a server that shuts down': { data: { errorCode: 91 } },
  'a write that may be retried': {
    data: {
      writeConcernError: { code: 91, errmsg: 'injected' },
      errorLabels: ['RetryableWriteError'],
    },
    only: [...WRITES, ...ENDS],
  },
  'an unknown write concern': {
    data: { writeConcernError: { code: 64, errmsg: 'injected' } },
    only: [...WRITES, ...ENDS],
  },
  'a conflict of transactions': {
    data: { errorCode: 112, errorLabels: ['TransientTransactionError'] },
  },
  'a lost transaction': { data: { errorCode: 251, errorLabels: ['TransientTransactionError'] } },
  'an unknown outcome': {
    data: { errorCode: 50, errorLabels: ['UnknownTransactionCommitResult'] },
  },
};

interface LoggedCommand {
  readonly appName?: string;
  readonly type: string;
  readonly command?: object;
}

/**
 * The names of the commands that the instances send under load, by the log of the primary. Those that follow a failure
 * are among them.
 */
export async function observeCommands(cluster: Cluster): Promise<ReadonlySet<string>> {
  const primary = await cluster.replicaSet.primary();
  const logged: Buffer[] = [];
  const log = (chunk: Buffer) => logged.push(chunk);
  primary.process!.stdout!.on('data', log);
  await primary.command({ profile: 0, slowms: -1 });
  await setTimeout(OBSERVED);
  await inject(cluster, {
    failCommands: ['commitTransaction'],
    ...FAILURES['an unknown outcome']!.data,
  });
  await setTimeout(AFTER_FAILURE);
  await primary.command({ profile: 0, slowms: 100 });
  primary.process!.stdout!.off('data', log);
  const lines = Buffer.concat(logged).toString().split('\n').slice(1, -1);
  const commands = lines
    .filter((line) => line.includes('"msg":"Slow query"'))
    .map((line) => (JSON.parse(line) as { attr: LoggedCommand }).attr)
    .filter(({ appName, type }) => appName === APP_NAME && type === 'command')
    .map(({ command = {} }) => String(Object.keys(command)[0]));
  return new Set(commands.filter((name) => !BESIDE_REQUESTS.includes(name)));
}

/** Injects each failure into each of the commands, and tells which commands have met it. */
export async function injectEach(
  cluster: Cluster,
  commands: ReadonlySet<string>,
): Promise<{ injected: number; missed: string[] }> {
  const missed: string[] = [];
  let injected = 0;
  for (const [failure, { data, only }] of Object.entries(FAILURES)) {
    for (const name of [...commands].filter((each) => only?.includes(each) ?? true)) {
      const count = await inject(cluster, { failCommands: [name], ...data });
      injected += count;
      if (count === 0) missed.push(`${name} never met ${failure}`);
    }
  }
  return { injected, missed };
}

/** Injects a failure, and returns how often it was met. */
async function inject(cluster: Cluster, failure: object): Promise<number> {
  const primary = await cluster.replicaSet.primary();
  const point = { configureFailPoint: 'failCommand' };
  const data = { appName: APP_NAME, ...failure };
  const { count: before } = await primary.command({ ...point, mode: { times: TIMES }, data });
  const met = { waitForFailPoint: 'failCommand', timesEntered: Number(before) + TIMES };
  await primary.command({ ...met, maxTimeMS: TIMEOUT }).catch(() => undefined);
  const { count } = await primary.command({ ...point, mode: 'off' });
  return Number(count) - Number(before);
}
