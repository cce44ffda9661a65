import path from 'node:path';
import { IS_FULL } from '../scope.js';
import { csharpRunner, hasMono } from './csharp.js';
import { goRunner, hasGo } from './go.js';
import { hasJava, javaClasses } from './java.js';
import { hasPython, installPython, PYTHON_NEEDED } from './python.js';
import { buildRustRunner, hasRust } from './rust.js';

/** A language that has an SDK, and the program that runs the scenarios of docs/sdk-scenarios.md on it. */
export interface Language {
  readonly name: string;
  /** The tools that its SDK needs, if they are missing. */
  readonly missing?: string | undefined;
  /** Builds the runner, once in a test file, and returns the command that starts it. */
  readonly build: () => readonly [command: string, ...args: string[]];
}

/** The set-up of the tests builds the runners in Node and Go. */
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
    missing: hasRust ? undefined : 'rustc and cargo of version 1.85 or newer',
    build: () => [buildRustRunner()],
  },
  {
    name: 'C#',
    missing: hasMono ? undefined : 'mcs and mono, and cargo for the C ABI',
    build: () => ['mono', csharpRunner()],
  },
];

const IN_SCOPE = IS_FULL ? ROWS : ROWS.slice(0, 1);

/** Node in the default scope, every language in the full one. */
export const LANGUAGES = IN_SCOPE.map((language): Language => {
  let command: ReturnType<Language['build']> | undefined;
  return { ...language, build: () => (command ??= language.build()) };
});
