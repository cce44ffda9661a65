import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { cacheFolder } from '../mongod/cache.js';
import { IS_FULL } from '../scope.js';
import { buildOnce, describeIf, hasCommand, versionOf } from './commands.js';
import { goRunner, hasGo } from './go.js';
import { hasPython, installPython, PYTHON_NEEDED } from './python.js';
import { type RunnerProcess, useRunner } from './runner-process.js';

/** Cargo's build output, which git, oxlint and oxfmt ignore. */
export const TARGET = path.resolve('sdk/target');

/** Options of cargo for a crate with one of its features. */
const crate = (name: string, feature: string) => {
  return ['--package', name, '--no-default-features', '--features', feature];
};
/** Without TLS, which takes a minute to build. */
export const CLIENT = crate('license-management-client', 'ureq');
/** The C ABI with the tests' clock. */
export const LIBRARY = crate('license-management-client-c', 'test-clock');

/** Whether the `rust-version` of the crates or a newer one is installed. */
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

const CBINDGEN = 'cbindgen@0.29.4';

/** The path of cbindgen, which takes longer to compile than the SDK, so that it stays in the cache folder. */
export function installCbindgen(): string {
  const install = (root: string) => void cargo('install', ['--debug', '--root', root, CBINDGEN]);
  return path.join(buildOnce(CBINDGEN, install, cacheFolder()), 'bin/cbindgen');
}

/** What clippy prints during a build. Unlike `cargo clippy`, that reuses the dependencies that the tests have compiled. */
export function clippy(args: readonly string[]): string {
  const env = {
    ...process.env,
    CARGO_TARGET_DIR: TARGET,
    RUSTC_WORKSPACE_WRAPPER: 'clippy-driver',
  };
  const build = ['build', '--locked', '--quiet', ...args];
  return spawnSync('cargo', build, { cwd: 'sdk', encoding: 'utf8', env }).stderr;
}

export const hasMono = hasRust && ['mcs', 'mono'].every(hasCommand);

const NATIVE = 'liblicense_management_client.so';
const ASSEMBLY = 'LicenseManagementClient.dll';

/**
 * A folder with the library, the C ABI with the tests' clock, and the scenario runner. Mono compiles the version of C# that projects
 * for netstandard2.0 use.
 */
const csharpFolder = (): string =>
  buildOnce('license-csharp', (folder) => {
    cargo('build', LIBRARY);
    fs.copyFileSync(path.join(TARGET, 'debug', NATIVE), path.join(folder, NATIVE));
    const sources = fs.readdirSync('sdk/csharp/src').map((name) => `sdk/csharp/src/${name}`);
    mcs(path.join(folder, ASSEMBLY), '-target:library', ...sources);
    buildProgram('sdk/csharp/tests/ScenarioRunner.cs', folder);
  });

/** Compiles a program that uses the library, and returns its path. */
export function buildProgram(source: string, folder = csharpFolder()): string {
  const program = path.join(folder, `${path.basename(source, '.cs')}.exe`);
  mcs(program, `-r:${path.join(folder, ASSEMBLY)}`, '-r:System.Web.Extensions', source);
  return program;
}

function mcs(output: string, ...args: string[]): void {
  execFileSync('mcs', ['-langversion:7.2', '-warnaserror', `-out:${output}`, ...args]);
}

const PACKAGE = path.resolve('sdk/java/src');
const RUNNER = path.join(PACKAGE, 'test/java/example/licenses/client/ScenarioRunner.java');

/** Whether JDK 17 or newer and Maven are installed. */
export const hasJava =
  versionOf('javac', ['-version'], /^javac (\d+)/m) >= 17 &&
  spawnSync('which', ['mvn']).status === 0;

/** The class path of the compiled SDK and its runner, which need no other package. */
export const javaClasses = (): string =>
  buildOnce('license-java', (classes) => {
    const main = path.join(PACKAGE, 'main/java/example/licenses/client');
    const files = fs.readdirSync(main).map((file) => path.join(main, file));
    const options = ['--release', '17', '-Xlint:all', '-Werror', '-d', classes];
    execFileSync('javac', [...options, ...files, RUNNER], { stdio: 'inherit' });
  });

/** A language that has an SDK, and the program that runs the scenarios of docs/sdk/scenarios.md on it. */
export interface Language {
  readonly name: string;
  /** The tools that its SDK needs, if they are missing. */
  readonly missing?: string | undefined;
  /** Its tests are built without TLS, which takes a minute to compile; its own tests cover untrusted servers. */
  readonly isWithoutTls?: true;
  /** Builds the runner, once in a test file, and returns the command that starts it. */
  readonly build: () => readonly [command: string, ...args: string[]];
}

/** The tests' set-up builds the runners in Node and Go. */
const ROWS: readonly Language[] = [
  { name: 'Node', build: () => [process.execPath, path.resolve('sdk/node/scenario-runner.mjs')] },
  {
    name: 'Python',
    missing: hasPython ? undefined : PYTHON_NEEDED,
    build: () => [installPython(), path.resolve('sdk/python/tests/scenario_runner.py')],
  },
  {
    name: 'Go',
    missing: hasGo ? undefined : 'go of version 1.22 or newer',
    build: () => [goRunner(), 'scenario-runner'],
  },
  {
    name: 'Java',
    missing: hasJava ? undefined : 'a JDK of version 17 or newer and Maven',
    build: () => ['java', '-cp', javaClasses(), 'example.licenses.client.ScenarioRunner'],
  },
  {
    name: 'Rust',
    isWithoutTls: true,
    missing: hasRust ? undefined : 'rustc and cargo of version 1.85 or newer',
    build: () => {
      cargo('build', [...CLIENT, '--example', 'scenario_runner']);
      return [path.join(TARGET, 'debug/examples/scenario_runner')];
    },
  },
  {
    name: 'C#',
    isWithoutTls: true,
    missing: hasMono ? undefined : 'mcs and mono, and cargo for the C ABI',
    build: () => ['mono', path.join(csharpFolder(), 'ScenarioRunner.exe')],
  },
];

const IN_SCOPE = IS_FULL ? ROWS : ROWS.slice(0, 1);

/** Node in the default scope, every language in the full one. */
export const LANGUAGES = IN_SCOPE.map((language): Language => {
  let command: ReturnType<Language['build']> | undefined;
  return { ...language, build: () => (command ??= language.build()) };
});

/** Declares the same tests for each SDK; the tests of an SDK that cannot run here count as skipped. */
export function describeSdks(name: string, declare: (runner: () => RunnerProcess) => void): void {
  for (const { name: language, missing, build } of LANGUAGES) {
    describeIf(!missing)(`${name} in ${language}`, () => declare(useRunner(build)));
  }
}
