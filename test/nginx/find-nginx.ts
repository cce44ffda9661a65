import fs from 'node:fs';
import path from 'node:path';

/** The path of nginx, on a system where a caller can have any loopback address; undefined elsewhere. */
export function findNginx(env: NodeJS.ProcessEnv): string | undefined {
  if (process.platform !== 'linux') return undefined;
  const candidates = (env.PATH ?? '')
    .split(path.delimiter)
    .map((folder) => path.join(folder, 'nginx'));
  return candidates.find((file) => fs.existsSync(file));
}
