import { rm } from 'node:fs/promises';
import { install } from './cache';
import { watchGrowth } from './growth';
import { createWorkFolder } from './work-folder';

/** Puts a mongod somewhere into the folder and returns its path; gives up when the signal aborts. */
export type Download = (
  folder: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
) => Promise<string | undefined>;

/** Downloads into a folder of its own and, if what came is a mongod, installs it in the cache. */
export async function downloadToCache(
  download: Download,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
  progress: () => void,
): Promise<string | undefined> {
  const folder = await createWorkFolder(env);
  const stopWatching = watchGrowth(folder, progress);
  try {
    const binary = await download(folder, env, signal);
    return binary === undefined ? undefined : await install(binary, env);
  } finally {
    stopWatching();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
