import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';

type Child = ChildProcessByStdio<Writable, Readable | null, Readable>;

/** How a process ended, and all that it printed. */
export interface Ending {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Start {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** What it reads on stdin. */
  readonly input?: string;
  /** Timeout in milliseconds, after which it is killed; two minutes if absent. */
  readonly timeout?: number;
  /** A file of the folder that gets its stdout, where that is too much to be kept in memory. */
  readonly log?: string;
}

/** Timeout of a process, in milliseconds: one that hangs is killed, even if its test is gone. */
const TIMEOUT_MS = 120_000;

/** A process that has been started, with what it has printed so far. */
export class RunningProcess {
  stdout = '';
  stderr = '';
  readonly ended: Promise<Ending>;
  private readonly child: Child;

  constructor(
    program: string,
    args: string[],
    { folder, env, input = '', timeout = TIMEOUT_MS, log }: Start,
  ) {
    const options = { cwd: folder, env, timeout, killSignal: 'SIGKILL' as const };
    const stdout = log === undefined ? 'pipe' : fs.openSync(path.resolve(folder, log), 'a');
    this.child = spawn(program, args, { ...options, stdio: ['pipe', stdout, 'pipe'] }) as Child;
    if (typeof stdout === 'number') fs.closeSync(stdout);
    this.child.stdout?.setEncoding('utf8').on('data', (text) => (this.stdout += text));
    this.child.stderr.setEncoding('utf8').on('data', (text) => (this.stderr += text));
    // One that ends without reading its input is no failure of the test.
    this.child.stdin.on('error', () => undefined).end(input);
    this.ended = once(this.child, 'close').then(([code]) => {
      return { code: code as number | null, stdout: this.stdout, stderr: this.stderr };
    });
  }

  get pid(): number {
    return Number(this.child.pid);
  }

  /** Waits until stderr matches; rejects where the process ends without. */
  async untilStderr(pattern: RegExp): Promise<RegExpExecArray> {
    const endedBefore = async () => {
      throw new Error(`It ended before ${pattern}: ${JSON.stringify(await this.ended, null, 2)}`);
    };
    for (;;) {
      const match = pattern.exec(this.stderr);
      if (match) return match;
      await Promise.race([once(this.child.stderr, 'data'), endedBefore()]);
    }
  }

  /** Sends a signal, and waits for the end. */
  end(signal: NodeJS.Signals): Promise<Ending> {
    this.child.kill(signal);
    return this.ended;
  }
}
