import { describeIf } from './commands.js';
import type { LicenseOptions } from '../../sdk/node/src/options.js';
import type { Language } from './languages.js';
import { RunnerProcess } from './runner-process.js';

export interface Status {
  readonly state: string;
  readonly until: string | null;
  readonly services: readonly string[];
  readonly entitlements: readonly string[];
  readonly reason: string | null;
}

/** The result of a call; `error` is the code of a LicenseError. */
export type Result = Status | { readonly error: string } | string | null;

type Drive = (options: LicenseOptions, ...calls: string[][]) => Promise<Result[]>;

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

/** Declares the same tests for some of the SDKs; those of one that cannot run here count as skipped. */
export function describeSdks(
  name: string,
  languages: readonly Language[],
  tests: (drive: Drive) => void,
): void {
  for (const language of languages) {
    describeIf(!language.missing)(`${name} in ${language.name}`, () => {
      let runner: RunnerProcess;
      beforeAll(() => (runner = new RunnerProcess(language.build())));
      afterAll(() => runner.stop());
      tests((options, ...calls) => drive(runner, options, calls));
    });
  }
}
