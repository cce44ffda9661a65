import { Injectable } from '@nestjs/common';
import { DomainError } from '../../shared/errors/domain-error.js';
import { newAccountId } from '../../shared/ids.js';
import { newTotals, TOTALS } from '../../shared/quotas/account-totals.js';
import { DEPLOYMENT, type DeploymentItem } from '../../shared/sealing/deployment.js';
import { Clock } from '../../shared/time/clock.js';
import { EVENTS } from '../../events/event.js';
import { type Change, insert, replace } from '../../storage/changes.js';
import { NOT_STORED } from '../../storage/collection.js';
import { Decisions } from '../../storage/decisions.js';
import { Store } from '../../storage/store.js';
import { PasswordHasher } from '../passwords/password-hasher.js';
import { newAccountEvent, newUser, type User, USERS } from './user.js';

/** An account to create. Its password must meet the policy. */
export interface NewAccount extends Pick<User, 'name' | 'email'> {
  readonly password: string;
}

/** Creates and finds accounts. Expects normalized email addresses. */
@Injectable()
export class AccountsService {
  constructor(
    private readonly store: Store,
    private readonly decisions: Decisions,
    private readonly hasher: PasswordHasher,
    private readonly clock: Clock,
  ) {}

  /** @param also further changes in the commit */
  async create(
    account: NewAccount,
    also: (user: User) => readonly Change[] = () => [],
  ): Promise<User> {
    // Hashing is expensive, so a taken address is rejected first. The commit decides races.
    if (await this.findByEmail(account.email)) throw emailTaken();
    const user = await this.toUser(account);
    const { ok } = await this.decisions.commit([...creationOf(user), ...also(user)]);
    if (!ok) throw emailTaken();
    return user;
  }

  /** @throws DomainError REGISTRATION_CLOSED if any account exists */
  async createFirst(account: NewAccount): Promise<User> {
    const user = await this.toUser(account);
    const item: DeploymentItem = { _id: 'first-account', value: user._id, version: NOT_STORED };
    return this.decisions.run(async () => {
      // Concurrent registrations conflict on this item, so the count below is consistent with its version.
      const stored = await this.store.find(DEPLOYMENT, { _id: item._id });
      if (await this.anyExist()) throw new DomainError('REGISTRATION_CLOSED');
      const lock = stored ? replace(DEPLOYMENT, stored, item) : insert(DEPLOYMENT, item);
      return { result: user, changes: [lock, ...creationOf(user)] };
    });
  }

  async anyExist(): Promise<boolean> {
    return (await this.store.count(USERS, {}, 1)) > 0;
  }

  /** @throws DomainError UNAUTHORIZED if the login was deleted */
  async get(_id: string): Promise<User> {
    const user = await this.store.find(USERS, { _id });
    if (!user) throw new DomainError('UNAUTHORIZED');
    return user;
  }

  findByEmail(email: string): Promise<User | null> {
    return this.store.find(USERS, { email });
  }

  /** Whether the operator disabled a login or its account. */
  async isDisabled({ account, disabledAt }: User): Promise<boolean> {
    const totals = await this.store.find(TOTALS, { _id: account });
    return disabledAt !== null || totals?.disabledAt !== null;
  }

  private async toUser({ name, email, password }: NewAccount): Promise<User> {
    const passwordHash = await this.hasher.hash(password);
    const account = newAccountId();
    const fields = { _id: account, account, role: 'owner', name, email, passwordHash } as const;
    return newUser(fields, this.clock.now());
  }
}

const creationOf = (user: User): Change[] => [
  insert(USERS, user),
  insert(TOTALS, newTotals(user.account)),
  insert(EVENTS, newAccountEvent('account.created', user, user.createdAt)),
];

export const emailTaken = () => new DomainError('EMAIL_ALREADY_REGISTERED', { field: 'email' });
