import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { START_ARGUMENTS } from '../start-arguments.js';
import { HttpCaller } from '../http-caller.js';

type Child = ChildProcessByStdio<Writable, Readable | null, Readable>;

/** The exit code of a process, null after a signal, and everything it printed. */
export interface Ending {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A started process, with its output so far. */
export class RunningProcess {
  stdout = '';
  stderr = '';
  hasEnded = false;
  readonly ended: Promise<Ending>;
  private readonly child: Child;

  /**
   * @param input its stdin
   * @param log a file for its stdout, if that is too long for memory
   */
  constructor(
    program: string,
    args: string[],
    options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
    input = '',
    log?: string,
  ) {
    const stdout = log === undefined ? 'pipe' : fs.openSync(log, 'a');
    this.child = spawn(program, args, { ...options, stdio: ['pipe', stdout, 'pipe'] }) as Child;
    if (typeof stdout === 'number') fs.closeSync(stdout);
    this.child.stdout?.setEncoding('utf8').on('data', (text) => (this.stdout += text));
    this.child.stderr.setEncoding('utf8').on('data', (text) => (this.stderr += text));
    // A process that exits without reading its stdin must not fail the test.
    this.child.stdin.on('error', () => undefined).end(input);
    this.ended = once(this.child, 'close').then(([code]) => {
      this.hasEnded = true;
      return { code: code as number | null, stdout: this.stdout, stderr: this.stderr };
    });
  }

  get pid(): number {
    return Number(this.child.pid);
  }

  /** Waits until stderr matches; rejects if the process ends first. */
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

  /** Sends a signal, and waits for the process to exit. */
  end(signal: NodeJS.Signals): Promise<Ending> {
    this.child.kill(signal);
    return this.ended;
  }
}

/** The built service, listening. */
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

/**
 * Expects a process to fail with one printed line that names the cause and the remedy, without a stack trace.
 *
 * @param words that the line must contain
 */
export function expectOneSentence({ code, stdout, stderr }: Ending, ...words: string[]): void {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '');
  expect({ code, lines }).toEqual({ code: 1, lines: [expect.stringMatching(/\.$/)] });
  expect(stdout + stderr).not.toMatch(/(^|\\n) +at /m);
  for (const word of words) expect(lines[0]).toContain(word);
}

const COMMANDS = path.resolve('dist/cli.js');

/** Runs the built program as an operator does, in a new folder with a clean environment, until `leave` ends its processes. */
export class Operator {
  readonly folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'license-operator-')));
  private readonly processes: RunningProcess[] = [];
  private readonly services: RunningService[] = [];

  /**
   * @param env variables in addition to PATH, HOME and PORT=0, which lets the system choose a free port
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

  /** Starts the service in a case where the start must fail. Kills it if it starts anyway. */
  failToStart(env: NodeJS.ProcessEnv = {}): Promise<Ending> {
    const started = this.spawn(process.execPath, START_ARGUMENTS, env);
    RunningService.from(started).then(
      (service) => service.end('SIGKILL'),
      () => undefined,
    );
    return started.ended;
  }

  /** Runs the command behind `npm run user -- ...`. */
  user(...args: string[]): Promise<Ending> {
    return this.command(['user', ...args]).ended;
  }

  /** Starts an `npm run` command, such as `backup FILE`; the test may end it. */
  command(args: string[], env: NodeJS.ProcessEnv = {}, input?: string): RunningProcess {
    return this.spawn(process.execPath, [COMMANDS, ...args], env, input);
  }

  /** Starts another program of Node, which the test may end. */
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

  /** Kills all remaining processes, removes the folder, and checks that no service printed a secret. */
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

/** Provides an operator for the tests of the calling block. */
export function useOperator(env?: NodeJS.ProcessEnv): Operator {
  const operator = new Operator(env);
  afterAll(() => operator.leave());
  return operator;
}
