import { randomUUID } from 'node:crypto';
import { chmod, copyFile, mkdir, rename } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { isMongod } from './is-mongod';

/** Outside the checkout, so that it outlives a clone and leaves `git status` clean. */
export function cacheFolder(env: NodeJS.ProcessEnv): string {
  const configured = env.XDG_CACHE_HOME ?? '';
  const base = isAbsolute(configured) ? configured : join(homedir(), '.cache');
  return join(base, 'license-management-service');
}

/** The name contains the platform, as machines may share a home folder. */
export function cachedMongod(env: NodeJS.ProcessEnv): string {
  return join(cacheFolder(env), `mongod-${process.platform}-${process.arch}`);
}

/** Copies a binary into the cache if it is a mongod. The rename never shows a partial file to another run. */
export async function install(binary: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  await chmod(binary, 0o755);
  if (!(await isMongod(binary))) return undefined;
  await mkdir(cacheFolder(env), { recursive: true });
  const partial = `${cachedMongod(env)}.${randomUUID()}`;
  await copyFile(binary, partial);
  await rename(partial, cachedMongod(env));
  return cachedMongod(env);
}
