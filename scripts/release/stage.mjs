import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname, '../..');

/** Holds cargo's build output. Fixed, because cargo compares paths. */
export const TARGET = path.join(ROOT, 'sdk/target');

/** CI builds with the tests' `dev` profile, to compile once for both. */
export const PROFILE = process.env.RELEASE_PROFILE ?? 'release';

/** Where cargo writes the C ABI libraries. */
export const LIBRARIES = path.join(TARGET, PROFILE === 'dev' ? 'debug' : PROFILE);

/** Placeholder for the repository address, which differs in forks. */
const REPOSITORY = 'https://licenses.example/license-management-service';

const PACKAGES = ['c', 'csharp', 'go', 'java', 'node', 'python', 'rust'];

/** Runs a command, and returns its output if piped. */
export function run(command, args, { cwd = ROOT, env, isPiped } = {}) {
  return execFileSync(command, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, TZ: 'UTC', SOURCE_DATE_EPOCH: committedAt(), ...env },
    stdio: ['ignore', isPiped ? 'pipe' : 'inherit', 'inherit'],
  });
}

/** Seconds since 1970: the timestamp of every file, for reproducible builds. */
export function committedAt() {
  return execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: ROOT, encoding: 'utf8' }).trim();
}

/** Copies the committed SDKs, with the changelog in each package, to a folder in the checkout, where npm finds the TypeScript compiler. */
export function stage() {
  const staged = path.join(TARGET, 'release-artifacts');
  fs.rmSync(staged, { recursive: true, force: true });
  fs.mkdirSync(staged, { recursive: true });
  const archive = path.join(staged, 'sdk.tar');
  run('git', ['archive', '--output', archive, 'HEAD', 'sdk']);
  run('tar', ['--extract', '--file', archive], { cwd: staged });
  for (const name of PACKAGES) {
    const folder = path.join(staged, 'sdk', name);
    fs.copyFileSync(path.join(staged, 'sdk/CHANGELOG.md'), path.join(folder, 'CHANGELOG.md'));
    nameRepository(folder);
  }
  return staged;
}

function nameRepository(folder) {
  for (const name of fs.readdirSync(folder)) {
    if (!/\.(csproj|json|toml|xml)$/.test(name)) continue;
    const file = path.join(folder, name);
    const text = fs.readFileSync(file, 'utf8');
    fs.writeFileSync(file, text.replaceAll(REPOSITORY, process.env.REPOSITORY || REPOSITORY));
  }
}
