import { describeIf } from './commands.js';
import type { LicenseOptions } from '../../sdk/node/src/options.js';
import type { Status as SdkStatus } from '../../sdk/node/src/status.js';
import { LANGUAGES } from './languages.js';
import { type RunnerProcess, useRunner } from './runner-process.js';

/** A status in JSON. */
export type Status = Omit<SdkStatus, 'has' | 'until'> & { readonly until: string | null };

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
