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

/** The path of what `build` writes into a folder, shared by all test files of a run: the first to finish provides it. */
export function buildOnce(name: string, build: (folder: string) => void): string {
  const folder = path.join(os.tmpdir(), name);
  if (fs.existsSync(folder)) return folder;
  const partial = fs.mkdtempSync(`${folder}-`);
  build(partial);
  if (fs.existsSync(folder)) fs.rmSync(partial, { recursive: true });
  else fs.renameSync(partial, folder);
  return folder;
}

/** The README of an SDK, by the name of its folder. */
export const readmeOf = (sdk: string): string => fs.readFileSync(`sdk/${sdk}/README.md`, 'utf8');
