import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Runs a command that prints where the tests print. @throws Error if it fails */
export async function run(command: string, args: readonly string[], cwd = '.'): Promise<void> {
  const [code] = (await once(spawn(command, args, { cwd, stdio: 'inherit' }), 'exit')) as [number];
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} has failed.`);
}
