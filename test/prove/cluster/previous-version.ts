import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/** The commit of the version before this one, which must be in the history of the checkout. */
const COMMIT = '8f7a698';

const FOLDER = path.resolve('node_modules/.cache/previous-version', COMMIT);

/**
 * Builds the version before this one, with the packages of the checkout.
 *
 * @returns the path of its program
 */
export function buildPreviousVersion(): string {
  const program = path.join(FOLDER, 'dist/main.js');
  if (fs.existsSync(program)) return program;
  fs.mkdirSync(FOLDER, { recursive: true });
  const files = ['package.json', 'tsconfig.json', 'tsconfig.build.json', 'src'];
  const archive = execFileSync('git', ['archive', COMMIT, ...files], { maxBuffer: 2 ** 28 });
  execFileSync('tar', ['-x', '-C', FOLDER], { input: archive });
  execFileSync('npx', ['tsc', '--build', path.join(FOLDER, 'tsconfig.build.json')], {
    stdio: 'inherit',
  });
  return program;
}
