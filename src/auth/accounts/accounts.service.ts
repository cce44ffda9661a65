import { Injectable } from '@nestjs/common';
import { record } from '../../events/event.js';
import { DomainError } from '../../shared/errors/domain-error.js';
import type { IdempotencyRecord } from '../../shared/idempotency/idempotency-record.js';
import { newAccountId } from '../../shared/ids/account-id.js';
import { newTotals, TOTALS } from '../../shared/quotas/account-totals.js';
import { DEPLOYMENT, type DeploymentItem } from '../../shared/sealing/deployment.js';
import { Clock } from '../../shared/time/clock.js';
import { type Change, insert, MAX_BATCH_SIZE, removeAll, replace } from '../../storage/changes.js';
import { NOT_STORED } from '../../storage/collection.js';
import { Decisions } from '../../storage/decisions.js';
import { Store } from '../../storage/store.js';
import { NO_PASSWORD, PasswordHasher } from '../passwords/password-hasher.js';
import { subjectOf } from '../members/member.js';
import { sessionEnded, SESSIONS } from '../sessions/session.js';
import { accountEvent, actorOf, operatorEvent } from './account-events.js';
import { disabling, isDisabled, type Login, removalOf, update } from './login-changes.js';
import { type AccountOverview, newUser, type User, USERS } from './user.js';

/** Logins that the list reads at a time. */
const PAGE_SIZE = 100;

/** An account to be created; its password meets the policy. */
export interface NewAccount extends Pick<User, 'name' | 'email'> {
  readonly password: string;
}

/** What a command has done, and the changes for it. */
type Outcome<T extends string> = [outcome: T, ...changes: Change[]];

export interface FoundUser {
  readonly user: User | null;
  /** Whether the password is the user's. */
  readonly isRight: boolean;
}

/** Creates accounts, and checks the passwords of their members. E-mail addresses are in their normal form. */
@Injectable()
export class AccountsService {
  constructor(
    private readonly store: Store,
    private readonly decisions: Decisions,
    private readonly hasher: PasswordHasher,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError EMAIL_ALREADY_REGISTERED */
  async create(account: NewAccount): Promise<User> {
    // Hashing is expensive, so a taken address is rejected before it; the commit decides races.
    if (await this.findByEmail(account.email)) throw emailTaken();
    const user = await this.toUser(account);
    const { ok } = await this.decisions.commit(creationOf(user));
    if (!ok) throw emailTaken();
    return user;
  }

  /** @throws DomainError REGISTRATION_CLOSED where any account exists */
  async createFirst(account: NewAccount): Promise<User> {
    const user = await this.toUser(account);
    const item: DeploymentItem = { _id: 'first-account', value: user._id, version: NOT_STORED };
    return this.decisions.run(async () => {
      // Concurrent registrations conflict over this item. Counting afterwards sees the account of its version.
      const stored = await this.store.find(DEPLOYMENT, { _id: item._id });
      if (await this.exist()) throw new DomainError('REGISTRATION_CLOSED');
      const lock = stored ? replace(DEPLOYMENT, stored, item) : insert(DEPLOYMENT, item);
      return { result: user, changes: [lock, ...creationOf(user)] };
    });
  }

  async exist(): Promise<boolean> {
    return (await this.store.count(USERS, {}, 1)) > 0;
  }

  /** @throws DomainError UNAUTHORIZED where the login was deleted */
  async get(_id: string): Promise<User> {
    const user = await this.store.find(USERS, { _id });
    if (!user) throw new DomainError('UNAUTHORIZED');
    return user;
  }

  findByEmail(email: string): Promise<User | null> {
    return this.store.find(USERS, { email });
  }

  /**
   * The login with this address, and whether the password is its own. An unknown address costs one
   * verification too, so that response times do not reveal whether a login exists.
   */
  async findByCredentials(email: string, password: string): Promise<FoundUser> {
    const user = await this.findByEmail(email);
    const isRight = await this.hasher.verify(user?.passwordHash ?? NO_PASSWORD, password);
    return { user, isRight: user !== null && isRight };
  }

  /** Every login, ordered by e-mail address; one page is in memory at a time. */
  async *list(): AsyncGenerator<AccountOverview> {
    let last: User | undefined;
    do {
      const after = last && { value: last.email, _id: last._id };
      const slice = { limit: PAGE_SIZE, after };
      const page = await this.store.list(USERS, {}, { by: 'email', direction: 'asc' }, slice);
      yield* await Promise.all(page.map((user) => this.toOverview(user)));
      last = page.at(-1);
    } while (last);
  }

  hasPassword(user: User, password: string): Promise<boolean> {
    return this.hasher.verify(user.passwordHash, password);
  }

  /** Sets a new password, and ends every session of the member; of an owner, every session of the account. */
  async resetPassword(email: string, password: string): Promise<'reset' | 'not_found'> {
    if (!(await this.findByEmail(email))) return 'not_found';
    const passwordHash = await this.hasher.hash(password);
    return this.endingSessions(email, ({ user }, now) => [
      'reset',
      update(user, { passwordHash }, now),
      operatorEvent('account.password_changed', user, now),
    ]);
  }

  /** Disables the account of an owner, or the login of another member, and ends every session of it. */
  disable(email: string): Promise<'disabled' | 'already_disabled' | 'not_found'> {
    return this.endingSessions(email, (login, now) =>
      isDisabled(login)
        ? ['already_disabled']
        : [
            'disabled',
            disabling(login, now, now),
            operatorEvent('account.disabled', login.user, now),
          ],
    );
  }

  enable(email: string): Promise<'enabled' | 'already_enabled' | 'not_found'> {
    return this.decide(email, (login, now) =>
      isDisabled(login) ? ['enabled', disabling(login, null, now)] : ['already_enabled'],
    );
  }

  /** Makes another member the owner of the account, and its owner an admin. */
  transfer(
    from: string,
    to: string,
  ): Promise<'transferred' | 'not_owner' | 'no_member' | 'not_found'> {
    return this.decide(from, async ({ user }, now) => {
      const member = await this.findByEmail(to);
      if (user.role !== 'owner') return ['not_owner'];
      const isMember = member?.account === user.account && member._id !== user._id;
      if (!isMember || member.disabledAt) return ['no_member'];
      return [
        'transferred',
        update(user, { role: 'admin' }, now),
        update(member, { role: 'owner' }, now),
        record('member.changed', subjectOf(user), now, { data: { role: ['owner', 'admin'] } }),
        record('member.changed', subjectOf(member), now, {
          data: { role: [member.role, 'owner'] },
        }),
      ];
    });
  }

  /** Deletes the login of a member. An owner cannot be deleted this way. */
  remove(email: string): Promise<'removed' | 'is_owner' | 'not_found'> {
    return this.decide(email, ({ user }, now) => {
      if (user.role === 'owner') return ['is_owner'];
      const data = { role: user.role, status: 'active' };
      return [
        'removed',
        ...removalOf(user),
        record('member.removed', subjectOf(user), now, { data }),
      ];
    });
  }

  /**
   * Sets a new password, and ends every session of the member but one.
   *
   * @param user as read when its current password was verified
   * @returns `done_before` where an earlier request with the same idempotency record has changed it
   * @throws DomainError WRONG_PASSWORD where the password has changed since; IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_QUOTA_REACHED
   */
  async changePassword(
    { _id, passwordHash: verified }: User,
    password: string,
    session: string,
    idempotency?: IdempotencyRecord,
  ): Promise<'changed' | 'done_before'> {
    const passwordHash = await this.hasher.hash(password);
    const changedAt = this.clock.now();
    const change = { changedAt };
    const decide = async () => {
      const user = await this.store.find(USERS, { _id });
      if (user?.passwordHash !== verified) {
        throw new DomainError('WRONG_PASSWORD', { field: 'currentPassword' });
      }
      const changes = [
        update(user, { passwordHash }, changedAt),
        accountEvent('account.password_changed', user, changedAt),
        ...(await this.endOtherSessions(user, session, changedAt)),
      ];
      return { result: change, changes };
    };
    const done = await this.decisions.run(decide, { idempotency, key: _id });
    return done === change ? 'changed' : 'done_before';
  }

  private async decide<T extends string>(
    email: string,
    decide: (login: Login, now: Date) => Outcome<T> | Promise<Outcome<T>>,
  ): Promise<T | 'not_found'> {
    const { outcome } = await this.decisions.run<{ outcome: T | 'not_found' }>(async () => {
      const user = await this.findByEmail(email);
      if (!user) return { result: { outcome: 'not_found' }, changes: [] };
      const account = await this.store.find(TOTALS, { _id: user.account });
      const [outcome, ...changes] = await decide({ user, account }, this.clock.now());
      return { result: { outcome }, changes };
    });
    return outcome;
  }

  /** Decides, and ends every session of the member; of an owner, every session of the account. */
  private async endingSessions<T extends string>(
    email: string,
    decide: (login: Login, now: Date) => Outcome<T>,
  ): Promise<T | 'not_found'> {
    let ends: Change | undefined;
    const outcome = await this.decide<T>(email, (login, now) => {
      const { _id: user, account: accountId, role } = login.user;
      ends = removeAll(SESSIONS, role === 'owner' ? { accountId } : { user });
      return [...decide(login, now), ends];
    });
    // The members of an account may have more sessions than one commit removes.
    let isMore = ends !== undefined;
    while (ends && isMore) {
      const committed = await this.decisions.commit([ends]);
      isMore = committed.ok && committed.affected === MAX_BATCH_SIZE;
    }
    return outcome;
  }

  /** A session that starts meanwhile changes the user, so that the commit fails. */
  private async endOtherSessions(user: User, session: string, now: Date): Promise<Change[]> {
    const byExpiry = { by: 'expiresAt', direction: 'asc' } as const;
    const slice = { limit: MAX_BATCH_SIZE };
    const all = await this.store.list(SESSIONS, { user: user._id }, byExpiry, slice);
    const others = all.filter(({ _id }) => _id !== session);
    return [
      removeAll(SESSIONS, { _id: { oneOf: others.map(({ _id }) => _id) } }),
      ...others.map((other) => sessionEnded(other, now, actorOf(user))),
    ];
  }

  private async toOverview(user: User): Promise<AccountOverview> {
    const { account, role, email, name, createdAt } = user;
    const totals = (await this.store.find(TOTALS, { _id: account })) ?? newTotals(account);
    const { clientsCount, projectsCount, licensesCount } = totals;
    const disabledAt = role === 'owner' ? totals.disabledAt : user.disabledAt;
    const counts = { clientsCount, projectsCount, licensesCount };
    return { account, role, email, name, createdAt, disabledAt, ...counts };
  }

  private async toUser({ name, email, password }: NewAccount): Promise<User> {
    const passwordHash = await this.hasher.hash(password);
    const account = newAccountId();
    return newUser(
      { _id: account, account, role: 'owner', name, email, passwordHash },
      this.clock.now(),
    );
  }
}

const creationOf = (user: User): Change[] => [
  insert(USERS, user),
  insert(TOTALS, newTotals(user.account)),
];

export const emailTaken = () => new DomainError('EMAIL_ALREADY_REGISTERED', { field: 'email' });
