import { delimiter, resolve } from 'node:path';
import { cachedMongod } from './cache';
import { isMongod } from './is-mongod';

/** The first that works of: the one named in the environment, those on the PATH, the cached one. */
export async function localMongod(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const named = env.MONGOMS_SYSTEM_BINARY ? [resolve(env.MONGOMS_SYSTEM_BINARY)] : [];
  const onPath = (env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => resolve(folder, 'mongod'));
  const candidates = [...named, ...onPath, cachedMongod(env)];
  // All at once, so that one which hangs costs its time limit only once.
  const works = await Promise.all(candidates.map((candidate) => isMongod(candidate)));
  if (named.length > 0 && !works[0]) {
    process.stderr.write(`MONGOMS_SYSTEM_BINARY is not a mongod that works here: ${named[0]}\n`);
  }
  return candidates.find((_, index) => works[index]);
}
