import { LANGUAGES, type Language } from './languages.js';
import { RunnerProcess } from './runner-process.js';

/** The options of every SDK. */
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

const driveIn =
  ({ build }: Language): Drive =>
  async (options, ...calls) => {
    const runner = new RunnerProcess(build());
    const now = Date.now() / 1000;
    try {
      // A loaded machine must not cause a timeout.
      await runner.run({ do: 'start', now, options: { ...options, timeout: 60_000 } });
      const results: Result[] = [];
      for (const [method, argument] of calls) {
        const command = { do: 'call', now, method: method! } as const;
        const { returns, throws } = await runner.run({
          ...command,
          ...(argument !== undefined && { argument }),
        });
        results.push(throws ? { error: throws.code } : (returns as Result));
      }
      return results;
    } finally {
      await runner.stop();
    }
  };

export const driveNode = driveIn(LANGUAGES[0]!);

/**
 * Like describe.each of all SDKs, of Node's alone in the default scope; the tests of one that cannot run here count as skipped.
 */
export function describeSdks(name: string, tests: (drive: Drive) => void): void {
  for (const language of LANGUAGES) {
    const describeLanguage = language.missing ? describe.skip : describe;
    describeLanguage(`${name} in ${language.name}`, () => tests(driveIn(language)));
  }
}
