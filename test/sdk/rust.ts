import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { hasCommand, versionOf } from './commands.js';

/** What cargo builds: git, oxlint and oxfmt ignore it. */
export const TARGET = path.resolve('sdk/target');

/** Options of cargo for the crate, without TLS, which takes a minute to build. */
export const CLIENT = [
  ...['--package', 'license-management-client'],
  ...['--no-default-features', '--features', 'ureq'],
];

/** The same for the C ABI, with the clock of the tests. */
export const LIBRARY = [
  ...['--package', 'license-management-client-c'],
  ...['--no-default-features', '--features', 'test-clock'],
];

/** Whether there is the `rust-version` of the crates, or a newer one. */
export const hasRust =
  versionOf('rustc', ['--version'], /^rustc 1\.(\d+)\./) >= 85 && hasCommand('cargo');

/** Runs a command of cargo with the versions of the lock file, and returns what it prints. */
export function cargo(command: string, args: readonly string[]): string {
  return execFileSync('cargo', [command, '--locked', '--quiet', ...args], {
    cwd: 'sdk',
    encoding: 'utf8',
    env: { ...process.env, CARGO_TARGET_DIR: TARGET },
  });
}

/** Builds the runner of the scenarios, and returns its path. */
export function buildRustRunner(): string {
  cargo('build', [...CLIENT, '--example', 'scenario_runner']);
  return path.join(TARGET, 'debug/examples/scenario_runner');
}
