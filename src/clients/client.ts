import type { AccountId } from '../shared/ids/account-id.js';

/** A client: an organization or a person for whom a user delivers projects (specification, section 2). */
export interface Client {
  readonly _id: string;
  readonly name: string;
  /** In its normal form; unique across all clients. */
  readonly email: string;
  /** The user that created it, and alone sees it. */
  readonly owner: AccountId;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}
