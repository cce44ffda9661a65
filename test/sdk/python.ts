import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { cacheFolder } from '../mongod/cache.js';
import { buildOnce } from './commands.js';

const FIND =
  'import ensurepip, sys, venv; print(sys.executable if sys.version_info >= (3, 9) else "")';
const NAME =
  'import platform, sysconfig; print(platform.python_version(), sysconfig.get_platform())';

/**
 * The path of a Python that is new enough and can create virtual environments, which Debian packages separately. The `python3` on
 * the PATH may be a wrapper that needs its user's home.
 */
export function findPython(env: NodeJS.ProcessEnv): string | undefined {
  const { stdout } = spawnSync('python3', ['-c', FIND], { env, encoding: 'utf8' });
  return stdout?.trim() || undefined;
}

const found = findPython(process.env);

export const hasPython = found !== undefined;
/** The package to install if there is none. */
export const PYTHON_NEEDED = 'python3 of version 3.9 or newer with venv';

/** The packages that the tests of the Python SDK need, with exact versions. */
const OF_TESTS = fs.readFileSync('sdk/python/tests/requirements.txt', 'utf8');

/** A Python with the packages of a requirements text, installed from PyPI unless they are in the cache folder. */
export function installPython(requirements = OF_TESTS, options = ['--no-deps']): string {
  if (found === undefined) throw new Error(`There is no ${PYTHON_NEEDED}.`);
  const name = execFileSync(found, ['-c', NAME], { encoding: 'utf8' });
  const hash = createHash('sha256').update(name).update(requirements);
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...options];
  const install = (environment: string) => {
    execFileSync(found, ['-m', 'venv', environment]);
    const file = path.join(environment, 'requirements.txt');
    fs.writeFileSync(file, requirements);
    execFileSync(path.join(environment, 'bin', 'python'), [...pip, '--requirement', file]);
  };
  const folder = buildOnce(`python-${hash.digest('hex').slice(0, 16)}`, install, cacheFolder());
  return path.join(folder, 'bin', 'python');
}
