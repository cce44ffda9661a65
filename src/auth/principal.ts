import type { AccountId } from '../shared/ids/account-id.js';

/** The account and the session of a request's access token. */
export interface Principal {
  /** Claim `sub`. */
  readonly accountId: AccountId;
  /** The session's id (claim `sid`). */
  readonly session: string;
}
