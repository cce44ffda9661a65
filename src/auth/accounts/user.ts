import type { AccountId } from '../../shared/ids/account-id.js';

/** An account: a developer that issues licenses. */
export interface User {
  readonly _id: AccountId;
  readonly name: string;
  /** In normal form; unique. */
  readonly email: string;
  /** argon2id, in the PHC string format. */
  readonly passwordHash: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** When the operator disabled the account, so that nobody can log in; null while it is enabled. */
  readonly disabledAt: Date | null;
}

/** An account as the operator's list shows it. */
export interface AccountOverview extends Pick<User, 'email' | 'name' | 'createdAt' | 'disabledAt'> {
  readonly clientsCount: number;
  readonly projectsCount: number;
  readonly licensesCount: number;
}

/** A completed change of a password. */
export interface PasswordChanged {
  readonly changedAt: Date;
}

/** A change of a password by the account's owner. */
export interface PasswordChange {
  readonly user: AccountId;
  /** The session of the request, which is kept. */
  readonly session: string;
  /** Hash of the password that was verified. */
  readonly currentHash: string;
  readonly newHash: string;
  readonly at: Date;
}
