import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Ending, RunningProcess, type Start } from './running-process.js';
import { RunningService } from './running-service.js';

const USER_COMMAND = path.resolve('dist/cli/user.js');

/** What `npm start` gives to node. */
const SERVICE = serviceArguments();

/** Runs the built program as an operator does: in a folder of its own, with an environment of its own. */
export class Operator {
  readonly folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'license-operator-')));
  private readonly processes: RunningProcess[] = [];
  private readonly services: RunningService[] = [];

  /**
   * @param env what differs from a clean environment, in which the system chooses a free port
   * @param life `timeout` of its processes, if not two minutes, and the file of their log
   */
  constructor(
    private readonly env: NodeJS.ProcessEnv = {},
    private readonly life: Pick<Start, 'timeout' | 'log'> = {},
  ) {}

  /** Starts the service, and waits until it listens. */
  async start(env: NodeJS.ProcessEnv = {}): Promise<RunningService> {
    const service = await RunningService.from(this.spawn(process.execPath, SERVICE, env));
    this.services.push(service);
    return service;
  }

  /** Starts the service where that must fail. A service that listens all the same is killed. */
  startInVain(env: NodeJS.ProcessEnv = {}): Promise<Ending> {
    const started = this.spawn(process.execPath, SERVICE, env);
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

  /** Runs another program. */
  run(program: string, args: string[], input: string): Promise<Ending> {
    return this.spawn(program, args, {}, input).ended;
  }

  /** The absolute path of something in the folder. */
  path(...names: string[]): string {
    return path.join(this.folder, ...names);
  }

  /** Ends everything that still runs, and removes the folder. */
  async leave(): Promise<void> {
    await Promise.all(this.processes.map((process) => process.end('SIGKILL')));
    fs.rmSync(this.folder, { recursive: true });
    this.services.forEach((service) => service.expectNoSecrets());
  }

  private spawn(program: string, args: string[], env: NodeJS.ProcessEnv = {}, input?: string) {
    const { PATH } = process.env;
    const started = new RunningProcess(program, args, {
      ...this.life,
      folder: this.folder,
      env: { PATH, HOME: this.folder, PORT: '0', ...this.env, ...env },
      ...(input !== undefined && { input }),
    });
    this.processes.push(started);
    return started;
  }
}

function serviceArguments(): string[] {
  const { scripts } = JSON.parse(fs.readFileSync('package.json', 'utf8')) as {
    scripts: { start: string };
  };
  const [, flags = '', program = ''] = /^exec node (.*?) (\S+\.js) /.exec(scripts.start) ?? [];
  return [...flags.split(' '), path.resolve(program)];
}
