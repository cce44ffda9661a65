import { fork } from 'node:child_process';
import { once } from 'node:events';

export interface Job {
  readonly url: string;
  readonly requests: readonly string[];
  readonly connections: number;
  readonly seconds: number;
  /** Requests a second, whatever comes back; without it, each connection goes on when it has its answer. */
  readonly rate?: number;
}

/** What came back. */
export interface Load {
  readonly statuses: Readonly<Record<string, number>>;
  /** What no answer may come to, and how often it did. */
  readonly failures: Readonly<Record<string, number>>;
  /** Milliseconds of what was not refused, from when it was due. */
  readonly p50: number;
  readonly p99: number;
  readonly sent: number;
  /** Requests that were due and found every connection in use until the end. */
  readonly unsent: number;
  readonly perSecond: number;
}

/** Sends requests from another process. */
export async function offer(job: Job): Promise<Load> {
  const generator = fork('test/prove/overload/load-generator.mjs', { execArgv: [] });
  const failed = once(generator, 'exit').then(([code]) => {
    throw new Error(`The load generator ended with ${code}`);
  });
  try {
    generator.send(job);
    const [load] = (await Promise.race([once(generator, 'message'), failed])) as [Load];
    return load;
  } finally {
    failed.catch(() => undefined);
    generator.kill();
  }
}
