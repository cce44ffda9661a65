import type { AccountId } from '../shared/ids/account-id.js';

/** Who sends an authenticated request. */
export interface Principal {
  readonly accountId: AccountId;
  readonly type: 'user';
  /** The id of the login. */
  readonly id: string;
  readonly name: string;
  /** The session's id (claim `sid`). */
  readonly session: string;
}
