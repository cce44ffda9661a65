import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { describeWithPython, installPython } from './python.js';

const run = promisify(execFile);

/** The options of both SDKs. */
export interface LicenseOptions {
  readonly service: string;
  readonly issuer: string;
  readonly product: string;
  readonly keys: readonly object[];
  readonly folder: string;
  readonly fingerprint: string;
}

export interface Status {
  readonly state: string;
  readonly until: string | null;
  readonly services: readonly string[];
  readonly entitlements: readonly string[];
  readonly reason: string | null;
}

/** The result of a call; `error` is the code of a LicenseError. */
export type Result = Status | { readonly error: string } | string | null;

/** Calls methods of a license in a process of its own, one after the other. */
export type Drive = (options: LicenseOptions, ...calls: string[][]) => Promise<Result[]>;

const FOLDER = path.resolve('test/sdk');

export const driveNode: Drive = async (options, ...calls) => {
  const program = [path.join(FOLDER, 'drive-license.mjs'), JSON.stringify({ options, calls })];
  return readResults(await run(process.execPath, program));
};

const drivePython: Drive = async (options, ...calls) => {
  const program = [path.join(FOLDER, 'drive_license.py'), JSON.stringify({ options, calls })];
  const env = { ...process.env, PYTHONPATH: path.resolve('sdk/python/src') };
  return readResults(await run(installPython(), program, { env }));
};

const readResults = ({ stdout }: { stdout: string }) => JSON.parse(stdout) as Result[];

/** Like describe.each of both SDKs; the tests of one that cannot run here count as skipped. */
export function describeSdks(name: string, tests: (drive: Drive) => void): void {
  describe(`${name} in Node`, () => tests(driveNode));
  describeWithPython(`${name} in Python`, () => tests(drivePython));
}
