import { spawnSync } from 'node:child_process';

/** Whether a command is on the PATH. */
export function hasCommand(name: string): boolean {
  return spawnSync(name, ['--version'], { env: process.env }).status === 0;
}
