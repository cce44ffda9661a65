import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Whether the file is a mongod that works on this machine. The exit code alone does not say so: an empty executable is
 * run by the shell and ends with 0.
 */
export async function isMongod(file: string, timeout = 10_000): Promise<boolean> {
  try {
    const { stdout } = await run(file, ['--version'], { timeout, killSignal: 'SIGKILL' });
    return stdout.startsWith('db version');
  } catch {
    return false;
  }
}
