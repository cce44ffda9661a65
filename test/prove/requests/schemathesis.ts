import { execFile, execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { findPython } from '../../sdk/find-python.js';
import { cacheFolder } from '../../mongod/cache.js';

const PACKAGE = 'schemathesis==4.32.5';

const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
];

export interface Run {
  readonly url: string;
  readonly seed: number;
  /** Generated requests for each operation and phase, at most. */
  readonly examples: number;
  /** Kinds of generated requests, separated by commas. */
  readonly phases: string;
  readonly token: string | undefined;
}

/** Installs the program into its own environment in the cache folder, if it is missing, and returns its path. */
export function installSchemathesis(): string {
  const folder = path.join(cacheFolder(), PACKAGE.replace('==', '-'));
  const program = path.join(folder, 'bin', 'schemathesis');
  const complete = path.join(folder, 'complete');
  if (fs.existsSync(complete)) return program;
  const python = findPython(process.env);
  if (!python) throw new Error('This proof needs Python 3.9 or newer, as python3 on the PATH.');
  fs.rmSync(folder, { recursive: true, force: true });
  execFileSync(python, ['-m', 'venv', folder]);
  execFileSync(path.join(folder, 'bin', 'pip'), ['install', '--quiet', PACKAGE]);
  fs.writeFileSync(complete, '');
  return program;
}

/** Sends requests derived from openapi.json, and returns a report if a response did not conform. */
export async function runSchemathesis(program: string, run: Run): Promise<string | undefined> {
  const { url, seed, examples, phases, token } = run;
  // It stores found failures in its working folder, and would begin with them the next time.
  const cwd = fs.mkdtempSync(path.join(os.tmpdir(), 'schemathesis-'));
  const options = [
    ...['run', path.resolve('openapi.json'), '--url', url, '--seed', String(seed)],
    ...['--max-examples', String(examples), '--checks', CHECKS.join(), '--phases', phases],
    ...['--warnings', 'off', '--no-color', '--continue-on-failure', '--request-timeout', '60'],
    ...['--generation-database', 'none'],
    // The session of the console is for its own pages alone.
    ...['--header', `Origin: ${url}`],
    ...(token ? ['--header', `Authorization: Bearer ${token}`] : []),
  ];
  return promisify(execFile)(program, options, { cwd, maxBuffer: 1 << 28 })
    .then(
      () => undefined,
      ({ stdout, stderr }) => `${stdout}${stderr}`.slice(-8_000),
    )
    .finally(() => fs.rmSync(cwd, { recursive: true }));
}
