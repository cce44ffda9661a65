import { spawn } from 'node:child_process';

interface Options {
  cwd: string;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
}

/** Whether the command ended with 0. It is killed, with all that it started, when the signal aborts. */
export function succeeds(
  command: string,
  args: string[],
  { cwd, env, signal }: Options,
): Promise<boolean> {
  return new Promise((resolve) => {
    // A group of its own, to be killed as one: python3 may be a wrapper that waits for the real one.
    const child = spawn(command, args, { cwd, env, stdio: 'ignore', detached: true });
    const kill = (): void => killGroup(child.pid);
    // The terminal interrupts its own group only.
    const interrupt = (name: NodeJS.Signals): void => {
      kill();
      process.kill(process.pid, name);
    };
    const end = (success: boolean): void => {
      signal.removeEventListener('abort', kill);
      process.removeListener('SIGINT', interrupt);
      resolve(success);
    };
    child.once('exit', (code) => end(code === 0));
    child.once('error', () => end(false));
    signal.addEventListener('abort', kill, { once: true });
    process.once('SIGINT', interrupt);
    if (signal.aborted) kill();
  });
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It ended by itself a moment ago.
  }
}
