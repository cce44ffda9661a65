import { chmod, mkdir, mkdtemp, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** What a mongod answers to `--version`, as a script. */
export const WORKING = '#!/bin/sh\necho "db version v0.0.0"\n';

export async function temporaryFolder(): Promise<string> {
  return realpath(await mkdtemp(join(tmpdir(), 'find-mongod-')));
}

export async function executable(path: string, script = WORKING): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, script);
  await chmod(path, 0o755);
  return path;
}
