import { fork } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { type Engine, newStore, SECRETS } from '../engines.js';
import { NO_LIMITS } from '../no-limits.js';
import { Operator, type RunningService } from '../smoke/operator.js';

/**
 * Runs the built service on a new store, without limits, for a function, then removes everything it stored.
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
 * Gives an operator a new store for a function, then removes everything it stored.
 *
 * @param log see {@link Operator}
 * @param use also receives the variables of the store
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

/** A Node program in a separate process that responds to each message with one message. */
export interface Program {
  /** @throws Error if the program ends before it responds */
  ask<Result>(message: object): Promise<Result>;
}

/**
 * Runs a program for a function.
 *
 * @param timeout after which it is killed, in milliseconds
 */
export async function withProgram<T>(
  file: string,
  use: (program: Program) => Promise<T>,
  timeout?: number,
): Promise<T> {
  const child = fork(file, { execArgv: [], serialization: 'advanced', timeout });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${file} ended with ${code}`);
  });
  const ask = async <Result>(message: object) => {
    child.send(message);
    const [response] = await Promise.race([once(child, 'message'), ended]);
    return response as Result;
  };
  try {
    return await Promise.race([use({ ask }), ended]);
  } finally {
    child.kill();
  }
}

/** Resident memory of a process, in MB. */
export function memoryOf(pid: number): number {
  const status = fs.readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024);
}

/** Extra time before a job times out, in seconds. */
const MARGIN = 60;

/** Runs a job in a separate process. */
export const runJob = <Result>(
  program: string,
  job: { readonly url: string; readonly seconds: number },
): Promise<Result> =>
  withProgram(
    `test/prove/${program}`,
    (started) => started.ask<Result>(job),
    (job.seconds + MARGIN) * 1000,
  );

/** Memory sampling interval in milliseconds, and the number of samples between two counts of open files. */
const SAMPLE_EVERY = 50;
const FILES_EVERY = 10;

/**
 * Samples the resident memory (in MB) and open files of a process until stopped.
 *
 * Connections are counted as open files: the kernel's list of connections also has those closed within the last minute, and
 * takes longer to read than the service takes to respond.
 */
export function watchProcess(pid: number) {
  const before = memoryOf(pid);
  const peak = { megabytes: before, files: 0 };
  let samples = 0;
  const timer = setInterval(() => {
    peak.megabytes = Math.max(peak.megabytes, memoryOf(pid));
    if (samples++ % FILES_EVERY > 0) return;
    peak.files = Math.max(peak.files, fs.readdirSync(`/proc/${pid}/fd`).length);
  }, SAMPLE_EVERY);
  return { before, peak, stop: () => clearInterval(timer) };
}
