import { join } from 'node:path';
import { succeeds } from './child';
import type { Download } from './download';

const SCRIPT = `
  const [library, target] = process.argv.slice(1);
  const { MongoBinary } = require(library);
  MongoBinary.getPath().then((path) => require('node:fs').copyFileSync(path, target));
`;

/** In a process of its own, because the library waits for a silent server a minute and cannot be interrupted. */
export const downloadByMemoryServer: Download = async (folder, env, signal) => {
  const target = join(folder, 'mongod');
  const library = require.resolve('mongodb-memory-server-core');
  const downloaded = await succeeds(process.execPath, ['-e', SCRIPT, library, target], {
    cwd: folder,
    signal,
    env: {
      // Without it the library accepts any certificate, for a program that is run afterwards.
      npm_config_strict_ssl: 'true',
      ...env,
      MONGOMS_DOWNLOAD_DIR: folder,
      MONGOMS_MAX_RETRIES: '2',
      // It was looked at before, and the library would fail rather than pass over a broken one.
      MONGOMS_SYSTEM_BINARY: undefined,
    },
  });
  return downloaded ? target : undefined;
};
