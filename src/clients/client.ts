import type { AccountId } from '../shared/ids/account-id.js';

/** A client: an organization or a person to whom an account delivers projects (specification, section 2). */
export interface Client {
  readonly _id: string;
  readonly name: string;
  /** In normal form; unique across all clients. */
  readonly email: string;
  /** The account that created it, and the only one that can see it. */
  readonly owner: AccountId;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}
