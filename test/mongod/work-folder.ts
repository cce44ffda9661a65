import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheFolder } from './cache';

const PREFIX = 'download-';
const DAY_MS = 24 * 60 * 60 * 1000;

/** A folder for one download, beside the cached binary so that a rename can install it. */
export async function createWorkFolder(env: NodeJS.ProcessEnv): Promise<string> {
  const parent = cacheFolder(env);
  await mkdir(parent, { recursive: true });
  await removeAbandoned(parent);
  return mkdtemp(join(parent, PREFIX));
}

/** A run that was interrupted leaves its folder; no download in progress is a day old. */
async function removeAbandoned(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(PREFIX)) continue;
    const folder = join(parent, name);
    const since = await stat(folder).then(
      ({ mtimeMs }) => mtimeMs,
      () => Infinity,
    );
    if (Date.now() - since > DAY_MS) await rm(folder, { recursive: true, force: true });
  }
}
