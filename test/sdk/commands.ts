import { execFile, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

/** Runs a program, and returns what it prints. */
export const run = promisify(execFile);

/** Whether a command is on the PATH. */
export function hasCommand(name: string): boolean {
  return spawnSync(name, ['--version'], { env: process.env }).status === 0;
}

/** The number that the pattern captures from a command's version; 0 without the command. */
export function versionOf(command: string, args: readonly string[], pattern: RegExp): number {
  const { stdout, stderr } = spawnSync(command, args, { env: process.env, encoding: 'utf8' });
  return Number(pattern.exec(`${stdout ?? ''}${stderr ?? ''}`)?.[1] ?? 0);
}

/** For tests of a tool that may be missing. */
export const describeIf = (isThere: boolean): jest.Describe => (isThere ? describe : describe.skip);

/**
 * The path of what `build` writes into a folder. By default, all test files of a run share it: the first to finish provides it.
 *
 * @param parent for example the cache folder, which outlives a run
 */
export function buildOnce(
  name: string,
  build: (folder: string) => void,
  parent = os.tmpdir(),
): string {
  const folder = path.join(parent, name);
  if (fs.existsSync(folder)) return folder;
  fs.mkdirSync(parent, { recursive: true });
  const partial = fs.mkdtempSync(`${folder}-`);
  try {
    build(partial);
    if (!fs.existsSync(folder)) fs.renameSync(partial, folder);
  } finally {
    fs.rmSync(partial, { recursive: true, force: true });
  }
  return folder;
}

/** The README of an SDK, by the name of its folder. */
export const readmeOf = (sdk: string): string => fs.readFileSync(`sdk/${sdk}/README.md`, 'utf8');
