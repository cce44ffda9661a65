import { describeIf } from './commands.js';
import type { LicenseOptions } from '../../sdk/node/src/options.js';
import { LANGUAGES } from './languages.js';
import { type RunnerProcess, useRunner } from './runner-process.js';

export interface Status {
  readonly state: string;
  readonly until: string | null;
  readonly services: readonly string[];
  readonly entitlements: readonly string[];
  readonly reason: string | null;
}

/** The result of a call; `error` is the code of a LicenseError. */
export type Result = Status | { readonly error: string } | string | null;

/** Calls methods of a license, one after the other, in a program that has just started. */
export async function drive(
  runner: RunnerProcess,
  options: LicenseOptions,
  calls: readonly string[][],
): Promise<Result[]> {
  const now = Date.now() / 1000;
  // A loaded machine must not cause a timeout.
  await runner.start(now, { ...options, timeout: 60_000 });
  const results: Result[] = [];
  for (const [method, argument] of calls) {
    const { returns, throws } = await runner.call(now, method!, argument);
    results.push(throws ? { error: throws.code } : (returns as Result));
  }
  return results;
}

/** Declares the same tests for each SDK; those of one that cannot run here count as skipped. */
export function describeSdks(name: string, declare: (runner: () => RunnerProcess) => void): void {
  for (const { name: language, missing, build } of LANGUAGES) {
    describeIf(!missing)(`${name} in ${language}`, () => declare(useRunner(build)));
  }
}
