import { execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { findPython } from './find-python.js';
import { cacheFolder } from '../mongod/cache.js';

const REQUIREMENTS = path.resolve('sdk/python/tests/requirements.txt');
const NAME =
  'import platform, sysconfig; print(platform.python_version(), sysconfig.get_platform())';

const found = findPython(process.env);

export const hasPython = found !== undefined;
/** What to install where there is none. */
export const PYTHON_NEEDED = 'python3 of version 3.9 or newer with venv';

/** A Python with the packages of the Python SDK's tests, which it installs from PyPI unless they are in the cache folder. */
export function installPython(): string {
  if (found === undefined) throw new Error('There is no Python.');
  const name = execFileSync(found, ['-c', NAME], { encoding: 'utf8' });
  const hash = createHash('sha256').update(name).update(fs.readFileSync(REQUIREMENTS));
  const folder = path.join(cacheFolder(), `python-${hash.digest('hex').slice(0, 16)}`);
  if (!fs.existsSync(folder)) install(found, folder);
  return path.join(folder, 'bin', 'python');
}

/** The rename never shows a partial folder to another run. */
function install(python: string, folder: string): void {
  const partial = `${folder}.${randomUUID()}`;
  const options = ['--quiet', '--no-deps', '--disable-pip-version-check'];
  try {
    execFileSync(python, ['-m', 'venv', partial]);
    execFileSync(path.join(partial, 'bin', 'python'), [
      ...['-m', 'pip', 'install', ...options, '--requirement', REQUIREMENTS],
    ]);
    if (!fs.existsSync(folder)) fs.renameSync(partial, folder);
  } finally {
    fs.rmSync(partial, { recursive: true, force: true });
  }
}
