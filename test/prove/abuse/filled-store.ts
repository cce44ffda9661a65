import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { PASSWORD } from '../../e2e/developer.js';
import { times } from '../prove.js';

/** The fingerprint with which the customer's licenses are activated, by bench/lib/world.mjs. */
export const FINGERPRINT = 'fingerprint-of-the-benchmark';

/** Half of the licenses of the largest account. */
const HALF = times({ short: 2_000, long: 100_000 });

/** An account, with the ids of its clients and projects. Its password is {@link PASSWORD}. */
export interface FilledAccount {
  readonly email: string;
  readonly clients: readonly string[];
  readonly projects: readonly string[];
}

/** The output of fill-store.mjs. */
export interface Filled {
  /** Keys of the customer's licenses, all of them active. */
  readonly keys: readonly string[];
  /** An account with 8,000 licenses. */
  readonly collector: FilledAccount;
  /** An account with one client. */
  readonly creator: FilledAccount;
  /** Accounts without records. */
  readonly accounts: readonly FilledAccount[];
  /** One account, half of whose licenses are in its first project, none of them active. */
  readonly large: readonly FilledAccount[];
  /** Four accounts of that kind, with 100 licenses each. */
  readonly small: readonly FilledAccount[];
}

/** Fills a new store. */
export async function fillStore(env: NodeJS.ProcessEnv): Promise<Filled> {
  const { PATH } = process.env;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['test/prove/abuse/fill-store.mjs', String(HALF)],
    { env: { PATH, PASSWORD, ...env }, timeout: 300_000 },
  );
  return JSON.parse(stdout) as Filled;
}
