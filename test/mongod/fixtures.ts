import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Prints to `--version` what mongod prints. */
export const WORKING = '#!/bin/sh\necho "db version v0.0.0"\n';

export async function executable(path: string, script = WORKING): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, script);
  await chmod(path, 0o755);
  return path;
}
