import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';

/** Runs a program, and returns what it prints. */
export const run = promisify(execFile);

/** Whether a command is on the PATH. */
export function hasCommand(name: string): boolean {
  return spawnSync(name, ['--version'], { env: process.env }).status === 0;
}

/** For tests of a tool that may be missing. */
export const describeIf = (isThere: boolean): jest.Describe => (isThere ? describe : describe.skip);
