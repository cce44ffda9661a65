import type { AccountId } from '../shared/ids/account-id.js';

/** A project: software that is delivered to a client (specification, section 2). */
export interface Project {
  readonly _id: string;
  readonly name: string;
  readonly client: string;
  /** The client's owner, kept here so that one look-up tells whether a user may see it. */
  readonly owner: AccountId;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}
