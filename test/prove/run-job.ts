import { fork } from 'node:child_process';
import { once } from 'node:events';

/** Timeout of a job beyond its duration, in seconds. */
const MARGIN = 60;

/** Runs a job in a process of its own, by a program that sends back the result. */
export async function runJob<Result>(
  program: string,
  job: { readonly url: string; readonly seconds: number },
): Promise<Result> {
  const timeout = (job.seconds + MARGIN) * 1000;
  const child = fork(`test/prove/${program}`, { execArgv: [], timeout });
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`${program} ended with ${code}`);
  });
  child.send(job);
  try {
    const [result] = await Promise.race([once(child, 'message'), failed]);
    return result as Result;
  } finally {
    child.kill();
  }
}
