import type { AccountId } from '../shared/ids/account-id.js';

/** Who makes a request: the account and the session of its access token. */
export interface Principal {
  /** Claim `sub`. */
  readonly accountId: AccountId;
  /** The session's id (claim `sid`). */
  readonly session: string;
}
