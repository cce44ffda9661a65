import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { PASSWORD } from '../../e2e/developer.js';

/** The fingerprint of the machine that the customer's licenses are bound to: bench/lib/world.mjs activates with it. */
export const FINGERPRINT = 'fingerprint-of-the-benchmark';

/** What fill-store.mjs has made. */
export interface Filled {
  /** Of the customer's licenses, all active. */
  readonly keys: readonly string[];
  /** E-mail address of the account with 8,000 licenses. */
  readonly collector: string;
  /** An account with one client. */
  readonly creator: { readonly email: string; readonly client: string };
  /** E-mail addresses of accounts that have nothing. */
  readonly accounts: readonly string[];
}

/** Fills a store; every account in it has the same password. */
export async function fillStore(env: NodeJS.ProcessEnv): Promise<Filled> {
  const { PATH } = process.env;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['test/prove/abuse/fill-store.mjs'],
    { env: { PATH, PASSWORD, ...env }, timeout: 120_000 },
  );
  return JSON.parse(stdout) as Filled;
}
