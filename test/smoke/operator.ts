import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { START_ARGUMENTS } from '../../bench/lib/start-arguments.mjs';
import { type Ending, RunningProcess, RunningService } from './running-process.js';

const USER_COMMAND = path.resolve('dist/cli/user.js');

/** Runs the built program as an operator does, in a new folder and with a clean environment. Its processes live until it leaves. */
export class Operator {
  readonly folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'license-operator-')));
  private readonly processes: RunningProcess[] = [];
  private readonly services: RunningService[] = [];

  /**
   * @param env variables in addition to PATH, HOME and PORT=0, with which the system chooses a free port
   * @param log a file in the folder for the stdout of each process, if that is too long for memory
   */
  constructor(
    private readonly env: NodeJS.ProcessEnv = {},
    private readonly log?: string,
  ) {}

  /** Starts the service, and waits until it listens. */
  async start(env: NodeJS.ProcessEnv = {}): Promise<RunningService> {
    const service = await RunningService.from(this.spawn(process.execPath, START_ARGUMENTS, env));
    this.services.push(service);
    return service;
  }

  /** Starts the service where the start must fail. A service that listens nevertheless is killed. */
  startInVain(env: NodeJS.ProcessEnv = {}): Promise<Ending> {
    const started = this.spawn(process.execPath, START_ARGUMENTS, env);
    RunningService.from(started).then(
      (service) => service.end('SIGKILL'),
      () => undefined,
    );
    return started.ended;
  }

  /** Runs what `npm run user -- ...` runs. */
  user(...args: string[]): Promise<Ending> {
    return this.spawn(process.execPath, [USER_COMMAND, ...args]).ended;
  }

  /** Starts another built program, such as `dist/cli/backup.js`, which the test may end. */
  begin(program: string, args: string[], env: NodeJS.ProcessEnv = {}): RunningProcess {
    return this.spawn(process.execPath, [path.resolve(program), ...args], env);
  }

  /** Runs another program. */
  run(program: string, args: string[], input: string): Promise<Ending> {
    return this.spawn(program, args, {}, input).ended;
  }

  /** An absolute path in the folder. */
  path(...names: string[]): string {
    return path.join(this.folder, ...names);
  }

  /** Kills all processes that still run, removes the folder, and expects that no service has printed a secret. */
  async leave(): Promise<void> {
    await Promise.all(this.processes.map((process) => process.end('SIGKILL')));
    fs.rmSync(this.folder, { recursive: true });
    this.services.forEach((service) => service.expectNoSecrets());
  }

  private spawn(program: string, args: string[], env: NodeJS.ProcessEnv = {}, input?: string) {
    const common = { PATH: process.env.PATH, HOME: this.folder, PORT: '0' };
    const options = { cwd: this.folder, env: { ...common, ...this.env, ...env } };
    const log = this.log === undefined ? undefined : this.path(this.log);
    const started = new RunningProcess(program, args, options, input, log);
    this.processes.push(started);
    return started;
  }
}
