import { Injectable } from '@nestjs/common';
import { DomainError } from '../../shared/errors/domain-error.js';
import type { IdempotencyRecord } from '../../shared/idempotency/idempotency-record.js';
import { type AccountId, newAccountId } from '../../shared/ids/account-id.js';
import { Clock } from '../../shared/time/clock.js';
import { NO_PASSWORD, PasswordHasher } from '../passwords/password-hasher.js';
import type { AccountOverview, PasswordChanged, User } from './user.js';
import { UsersRepository } from './users.repository.js';

/** Accounts read at once. */
const PAGE = 100;

/** An account to be created; its password meets the policy. */
export interface NewAccount extends Pick<User, 'name' | 'email'> {
  readonly password: string;
}

/** The result of looking an account up by an e-mail address and a password. */
export interface FoundAccount {
  /** The account with this address. */
  readonly account: User | null;
  /** Whether the password is the account's. */
  readonly isRight: boolean;
}

/** Creates accounts and checks their passwords. E-mail addresses are in their normal form. */
@Injectable()
export class AccountsService {
  constructor(
    private readonly users: UsersRepository,
    private readonly hasher: PasswordHasher,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError EMAIL_ALREADY_REGISTERED */
  async create(account: NewAccount): Promise<User> {
    // Hashing is expensive, so a taken address is rejected before it; create() decides races.
    if (await this.users.findByEmail(account.email)) throw emailTaken();
    const user = await this.toUser(account);
    if ((await this.users.create(user)) === 'email_taken') throw emailTaken();
    return user;
  }

  /** @throws DomainError REGISTRATION_CLOSED where any account exists */
  async createFirst(account: NewAccount): Promise<User> {
    const user = await this.toUser(account);
    if ((await this.users.createFirst(user)) === 'not_first') {
      throw new DomainError('REGISTRATION_CLOSED');
    }
    return user;
  }

  /** Whether there is any account. */
  exist(): Promise<boolean> {
    return this.users.exist();
  }

  /** @throws DomainError UNAUTHORIZED where the account was deleted: an access token can outlive it by 15 minutes */
  async get(accountId: AccountId): Promise<User> {
    const user = await this.users.findById(accountId);
    if (!user) throw new DomainError('UNAUTHORIZED');
    return user;
  }

  /**
   * The account with this address, and whether the password is its own. An unknown address costs one
   * verification too, so that response times do not reveal whether an account exists.
   */
  async findByCredentials(email: string, password: string): Promise<FoundAccount> {
    const account = await this.users.findByEmail(email);
    const isRight = await this.hasher.verify(account?.passwordHash ?? NO_PASSWORD, password);
    return { account, isRight: account !== null && isRight };
  }

  /** Sets a new password and ends every session of the account. */
  async resetPassword(email: string, password: string): Promise<'reset' | 'not_found'> {
    const user = await this.users.findByEmail(email);
    if (!user) return 'not_found';
    const passwordHash = await this.hasher.hash(password);
    await this.users.resetPassword(user._id, passwordHash, this.clock.now());
    return 'reset';
  }

  /** Disables an account and ends every session of it. */
  disable(email: string): Promise<'disabled' | 'already_disabled' | 'not_found'> {
    return this.users.disable(email, this.clock.now());
  }

  enable(email: string): Promise<'enabled' | 'already_enabled' | 'not_found'> {
    return this.users.enable(email, this.clock.now());
  }

  /** Every account, ordered by e-mail address; one page is in memory at a time. */
  async *list(): AsyncGenerator<AccountOverview> {
    let page = await this.users.list(undefined, PAGE);
    while (page.length > 0) {
      yield* page;
      page = await this.users.list(page.at(-1)?.email, PAGE);
    }
  }

  hasPassword(user: User, password: string): Promise<boolean> {
    return this.hasher.verify(user.passwordHash, password);
  }

  /**
   * Sets a new password and ends every session of the account but one.
   *
   * @param user as read when its current password was verified
   * @throws IdempotencyKeyTaken
   */
  async changePassword(
    user: User,
    password: string,
    session: string,
    idempotency?: IdempotencyRecord,
  ): Promise<PasswordChanged | 'wrong_password'> {
    const newHash = await this.hasher.hash(password);
    const { _id, passwordHash: currentHash } = user;
    const change = { user: _id, session, currentHash, newHash, at: this.clock.now() };
    return this.users.changePassword(change, idempotency);
  }

  private async toUser({ name, email, password }: NewAccount): Promise<User> {
    const passwordHash = await this.hasher.hash(password);
    const now = this.clock.now();
    const times = { createdAt: now, updatedAt: now, disabledAt: null };
    return { _id: newAccountId(), name, email, passwordHash, ...times };
  }
}

const emailTaken = () => new DomainError('EMAIL_ALREADY_REGISTERED', { field: 'email' });
