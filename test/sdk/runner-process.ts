import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import readline from 'node:readline';
import type { Status as SdkStatus } from '../../sdk/node/src/status.js';

/** A status in JSON. */
export type Status = Omit<SdkStatus, 'has' | 'mayUpdateTo' | 'validUntil'> & {
  readonly validUntil: string | null;
};

export interface Thrown {
  readonly code: string;
  readonly message: string;
  /** Null if the service did not send it. */
  readonly retryAfter: number | null;
}

export interface Result {
  readonly returns?: unknown;
  readonly throws?: Thrown;
}

type Command = readonly [string, ...string[]];

/** The time limit of a command, longer than the longest timeout of a scenario. */
const TIMEOUT_MS = 90_000;

/** A process that runs one SDK: one command per line, one result per line. */
export class RunnerProcess {
  private readonly child: ChildProcess;
  private readonly lines: AsyncIterator<string>;

  /** @param variables added to the environment */
  constructor([command, ...args]: Command, variables = {}) {
    // Keeps a proxy on this machine from receiving the tests' requests.
    const env = { ...process.env, no_proxy: '*', ...variables };
    this.child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
    const input = readline.createInterface({ input: this.child.stdout! });
    this.lines = input[Symbol.asyncIterator]();
  }

  /** Starts a licensed program with these options; `now` is the machine's clock, in seconds since 1970. */
  start(now: number, options: object): Promise<Result> {
    return this.run({ do: 'start', now, options });
  }

  /** Calls a method of the license. */
  call(now: number, method: string, argument?: string): Promise<Result> {
    return this.run({ do: 'call', now, method, argument });
  }

  private async run(command: object): Promise<Result> {
    const timer = setTimeout(() => this.child.kill('SIGKILL'), TIMEOUT_MS);
    try {
      this.child.stdin!.write(`${JSON.stringify(command)}\n`);
      const line = await this.lines.next();
      if (line.done) throw new Error(`The runner ended during ${JSON.stringify(command)}.`);
      return JSON.parse(line.value) as Result;
    } finally {
      clearTimeout(timer);
    }
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null) return;
    const exited = once(this.child, 'exit');
    this.child.stdin!.end();
    this.child.kill();
    await exited;
  }
}

/** Provides one process for all tests of the calling block. */
export function useRunner(build: () => Command, variables = {}): () => RunnerProcess {
  let runner: RunnerProcess;
  beforeAll(() => (runner = new RunnerProcess(build(), variables)));
  afterAll(() => runner.stop());
  return () => runner;
}
