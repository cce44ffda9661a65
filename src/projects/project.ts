import type { AccountId } from '../shared/ids/account-id.js';

/** A project: software that is delivered to a client (specification, section 2). */
export interface Project {
  readonly _id: string;
  readonly name: string;
  readonly client: string;
  /** The label of the product, which the projects of many clients may share. Once set, it stays. */
  readonly product: string | null;
  /** The owner of the client, copied here so that one lookup can check access. */
  readonly owner: AccountId;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}
