import fs from 'node:fs';
import { type Engine, newStore, SECRETS } from '../engines.js';
import { NO_LIMITS } from '../no-limits.js';
import { memoryOf, withProgram } from './program.js';
import { Operator, type RunningService } from '../smoke/operator.js';

/**
 * Runs the built service on a new store, without limits, while it is used, and removes all that it has stored.
 *
 * @param log see {@link Operator}
 */
export const withService = <T>(
  engine: Engine,
  env: NodeJS.ProcessEnv,
  use: (service: RunningService) => Promise<T>,
  log?: string,
): Promise<T> =>
  withOperator(
    engine,
    { ...NO_LIMITS, ...env },
    async (operator) => use(await operator.start()),
    log,
  );

/**
 * Gives an operator a new store while the operator is used, and removes all that it has stored.
 *
 * @param log see {@link Operator}
 * @param use has the variables of the store, too
 */
export async function withOperator<T>(
  engine: Engine,
  env: NodeJS.ProcessEnv,
  use: (operator: Operator, store: NodeJS.ProcessEnv) => Promise<T>,
  log?: string,
): Promise<T> {
  const all = { ...SECRETS, ...newStore(engine), ...env };
  const operator = new Operator(all, log);
  try {
    return await use(operator, { ...all, DATA_DIR: operator.path('data') });
  } finally {
    await operator.leave();
  }
}

/** Timeout of a job beyond its duration, in seconds. */
const MARGIN = 60;

/** Runs a job by a program in a process of its own. */
export const runJob = <Result>(
  program: string,
  job: { readonly url: string; readonly seconds: number },
): Promise<Result> =>
  withProgram(
    `test/prove/${program}`,
    (started) => started.ask<Result>(job),
    (job.seconds + MARGIN) * 1000,
  );

/** Sampling interval of the memory in milliseconds, and the number of samples between two of the connections. */
const SAMPLE_EVERY = 50;
const CONNECTIONS_EVERY = 10;

/**
 * Samples the resident memory of a process, in MB, and the connections that it has more than now, until it is stopped.
 *
 * Connections are counted among its open files: the kernel's list of connections also has those that were closed within the
 * last minute, and takes longer to read than the service takes to respond.
 */
export function watchProcess(pid: number) {
  const files = () => fs.readdirSync(`/proc/${pid}/fd`).length;
  const before = { megabytes: memoryOf(pid), files: files() };
  const peak = { megabytes: before.megabytes, connections: 0 };
  let samples = 0;
  const timer = setInterval(() => {
    peak.megabytes = Math.max(peak.megabytes, memoryOf(pid));
    if (samples++ % CONNECTIONS_EVERY > 0) return;
    peak.connections = Math.max(peak.connections, files() - before.files);
  }, SAMPLE_EVERY);
  return { before: before.megabytes, peak, stop: () => clearInterval(timer) };
}
