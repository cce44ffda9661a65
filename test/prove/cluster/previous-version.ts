import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/** The title of the commit of the version before this one, which must be in the history of the checkout. */
const RELEASE = 'Release 0.4.0, with the figures of MongoDB';

/**
 * Builds the version before this one, with the packages of the checkout.
 *
 * @returns the path of its program
 */
export function buildPreviousVersion(): string {
  const commit = git('log', '--format=%H', '-1', `--grep=^${RELEASE}$`).toString().trim();
  if (!commit) throw new Error(`The history lacks "${RELEASE}": git fetch --unshallow.`);
  const folder = path.resolve('node_modules/.cache/previous-version', commit);
  const program = path.join(folder, 'dist/main.js');
  if (fs.existsSync(program)) return program;
  fs.mkdirSync(folder, { recursive: true });
  const files = ['package.json', 'tsconfig.json', 'tsconfig.build.json', 'src'];
  execFileSync('tar', ['-x', '-C', folder], { input: git('archive', commit, ...files) });
  execFileSync('npx', ['tsc', '--build', path.join(folder, 'tsconfig.build.json')], {
    stdio: 'inherit',
  });
  return program;
}

const git = (...args: string[]) => execFileSync('git', args, { maxBuffer: 2 ** 28 });
