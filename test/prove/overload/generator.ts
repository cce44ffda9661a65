import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** A program that calls the service from its own process; see run-job.mjs. */
export class Generator<Result> {
  private constructor(
    private readonly process: ChildProcess,
    private readonly failed: Promise<never>,
  ) {}

  /** Starts a program, and waits until it is ready for its job. */
  static async start<Result>(program: string): Promise<Generator<Result>> {
    const process = fork(`test/prove/${program}`, { execArgv: [] });
    const failed = once(process, 'exit').then(([code]): never => {
      throw new Error(`${program} ended with ${code}`);
    });
    failed.catch(() => undefined);
    await Promise.race([once(process, 'message'), failed]);
    return new Generator(process, failed);
  }

  /** Runs the job, which its program documents, and ends the process. */
  async run(job: { readonly url: string; readonly seconds: number }): Promise<Result> {
    try {
      this.process.send(job);
      const [result] = await Promise.race([once(this.process, 'message'), this.failed]);
      return result as Result;
    } finally {
      this.end();
    }
  }

  end(): void {
    this.process.kill();
  }
}
