import { HttpCaller } from '../http-caller.js';
import type { Ending, RunningProcess } from './running-process.js';

/** The built service, which listens. */
export class RunningService extends HttpCaller {
  private constructor(
    url: string,
    private readonly process: RunningProcess,
  ) {
    super(url);
  }

  /** Waits until the service of a process has printed its address. */
  static async from(process: RunningProcess): Promise<RunningService> {
    const [, url] = await process.untilStderr(/listens on (\S+)\n/);
    return new RunningService(String(url), process);
  }

  get pid(): number {
    return this.process.pid;
  }

  /** Its output so far. */
  get stdout(): string {
    return this.process.stdout;
  }

  get stderr(): string {
    return this.process.stderr;
  }

  end(signal: NodeJS.Signals): Promise<Ending> {
    return this.process.end(signal);
  }

  /** @throws Error if its output or an error body contains one of the test's secrets (S12) */
  expectNoSecrets(): void {
    this.secrets.expectNoneIn([this.stdout, this.stderr]);
  }
}
