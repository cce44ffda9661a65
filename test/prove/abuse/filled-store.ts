import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { PASSWORD } from '../../e2e/developer.js';

/** The fingerprint with which the customer's licenses are activated, by bench/lib/world.mjs. */
export const FINGERPRINT = 'fingerprint-of-the-benchmark';

/** The output of fill-store.mjs. */
export interface Filled {
  /** Keys of the customer's licenses, all of them active. */
  readonly keys: readonly string[];
  /** E-mail address of the account with 8,000 licenses. */
  readonly collector: string;
  /** An account with one client. */
  readonly creator: { readonly email: string; readonly client: string };
  /** E-mail addresses of accounts without records. */
  readonly accounts: readonly string[];
}

/** Fills a store. Every account has the password {@link PASSWORD}. */
export async function fillStore(env: NodeJS.ProcessEnv): Promise<Filled> {
  const { PATH } = process.env;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['test/prove/abuse/fill-store.mjs'],
    { env: { PATH, PASSWORD, ...env }, timeout: 120_000 },
  );
  return JSON.parse(stdout) as Filled;
}
