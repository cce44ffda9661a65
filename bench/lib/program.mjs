import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';

const running = new Set();

// The programs end with the benchmark.
process.once('exit', () => running.forEach((program) => program.kill()));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

/** A program in a process of its own. */
export class Program {
  #child;
  #output = '';
  #endedEarly;

  /**
   * @param {string[]} args of node
   * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, log?: string }} options `log`: a file for its stdout
   */
  constructor(args, { cwd, env, log } = {}) {
    const stdout = log === undefined ? 'pipe' : fs.openSync(log, 'a');
    this.#child = spawn(process.execPath, args, {
      cwd,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
      stdio: ['ignore', stdout, 'pipe', 'ipc'],
      serialization: 'advanced',
    });
    if (log !== undefined) fs.closeSync(stdout);
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text) => (this.#output += text));
    }
    running.add(this.#child);
    this.#child.once('exit', () => running.delete(this.#child));
    this.#endedEarly = once(this.#child, 'exit').then(([code]) => {
      throw new Error(`A program ended with ${code}: ${this.#output}`);
    });
    // An early end is a failure only while somebody waits for a message or output.
    this.#endedEarly.catch(() => undefined);
  }

  get pid() {
    return this.#child.pid;
  }

  send(message) {
    this.#child.send(message);
  }

  /** The next message that it sends; rejects where it ends before. */
  async message() {
    const [message] = await Promise.race([once(this.#child, 'message'), this.#endedEarly]);
    return message;
  }

  /** Waits until its output matches; rejects where it ends before. */
  async untilPrinted(pattern) {
    for (;;) {
      const match = pattern.exec(this.#output);
      if (match) return match;
      await Promise.race([once(this.#child.stderr, 'data'), this.#endedEarly]);
    }
  }

  /** CPU time of all its threads so far, in microseconds; undefined where the system has no /proc. */
  cpu() {
    const stat = procFile(this.pid, 'stat');
    if (stat === undefined) return undefined;
    // The fields after the process's name, which may contain spaces; a clock tick is 10 ms on Linux.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10_000;
  }

  /** Resident memory in bytes; undefined where the system has no /proc. */
  memory() {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(procFile(this.pid, 'status') ?? '')?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  }

  /** Ends it by SIGTERM, and waits for its exit. */
  async end() {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exit = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await exit;
  }
}

function procFile(pid, name) {
  try {
    return fs.readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return undefined;
  }
}
