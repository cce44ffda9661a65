import { JwtService } from '@nestjs/jwt';
import {
  AccessTokenKey,
  AccessTokenService,
} from '../src/auth/access-tokens/access-token.service.js';
import { AccountsService } from '../src/auth/accounts/accounts.service.js';
import { type User, USERS } from '../src/auth/accounts/user.js';
import type { LoginAttempt, LoginLimiter } from '../src/auth/login-limit/login-limiter.js';
import { CurrentPassword } from '../src/auth/passwords/current-password.service.js';
import type { PasswordHasher } from '../src/auth/passwords/password-hasher.js';
import { LoginAddresses } from '../src/auth/sessions/login-addresses.js';
import { SessionsService } from '../src/auth/sessions/sessions.service.js';
import type { Config } from '../src/shared/config/config.js';
import type { SecurityLog } from '../src/shared/logging/security-log.js';
import { newTotals, TOTALS } from '../src/shared/quotas/account-totals.js';
import { DataKeys } from '../src/shared/sealing/data-keys.js';
import { insert } from '../src/storage/changes.js';
import { Decisions } from '../src/storage/decisions.js';
import { IdempotencyQuota } from '../src/storage/idempotency-quota.js';
import { beforeNextCommit } from './before-next-commit.js';
import { aUser } from './builders/user.builder.js';
import { cheapPasswords } from './cheap-passwords.js';
import { ModelStore } from './contract/model-store.js';
import { FakeClock } from './fake-clock.js';
import { NO_QUOTAS } from './no-limits.js';

export const PASSWORD = 'seven quiet lanterns drift';

const CONFIG = { jwtSecret: 'x'.repeat(32), quotas: NO_QUOTAS } as Config;

/** The services of accounts and their sessions, as of one instance, on a store in memory that instances may share. */
export class AccountServices {
  readonly hasher = cheapPasswords() as PasswordHasher;
  /** The attempts to log in, or to confirm a password, that failed. */
  readonly failures: LoginAttempt[] = [];
  /** The events of the security log, with their fields. */
  readonly logged: unknown[][] = [];
  readonly securityLog = {
    record: (...event: unknown[]) => void this.logged.push(event),
  } as unknown as SecurityLog;

  private readonly limiter = {
    attempt: async (attempt: LoginAttempt, login: () => Promise<unknown>) => {
      const result = await login();
      if (result === null) this.failures.push(attempt);
      return result;
    },
  } as unknown as LoginLimiter;
  readonly decisions = new Decisions(
    this.store,
    new IdempotencyQuota(this.store, CONFIG),
    this.clock,
  );
  readonly accounts = new AccountsService(this.store, this.decisions, this.hasher, this.clock);
  readonly addresses = new LoginAddresses(new DataKeys(Buffer.alloc(96, 1)), this.store);
  readonly currentPassword = new CurrentPassword(this.accounts, this.limiter, this.securityLog);
  readonly sessions = new SessionsService(
    this.store,
    this.decisions,
    this.addresses,
    new AccessTokenService(new JwtService(), new AccessTokenKey(CONFIG), this.clock),
    this.securityLog,
    this.clock,
  );

  constructor(
    readonly store = new ModelStore(),
    readonly clock = new FakeClock(),
  ) {}

  /** Another instance on the same store. */
  another(): AccountServices {
    return new AccountServices(this.store, this.clock);
  }

  /** Stores an account with {@link PASSWORD}. */
  async account(fields: Partial<User> = {}): Promise<User> {
    const user = aUser({ passwordHash: await this.hasher.hash(PASSWORD), ...fields });
    const { ok } = await this.store.commit([
      insert(USERS, user),
      insert(TOTALS, newTotals(user.account)),
    ]);
    if (!ok) throw new Error('The account exists');
    return this.stored(user);
  }

  /** Stores another member of the account with {@link PASSWORD}. */
  async member({ account }: User, fields: Partial<User> = {}): Promise<User> {
    const passwordHash = await this.hasher.hash(PASSWORD);
    const user = aUser({ passwordHash, role: 'admin', ...fields, account });
    await this.store.commit([insert(USERS, user)]);
    return this.stored(user);
  }

  async stored({ _id }: User): Promise<User> {
    return (await this.store.find(USERS, { _id }))!;
  }

  /** Starts a session, and returns its first refresh token. */
  async logIn(user: User, address = '192.0.2.1'): Promise<string> {
    return (await this.sessions.start(user, address)).refreshToken;
  }

  /** Spends a refresh token for the next one; undefined where it is rejected. */
  refresh(token: string): Promise<string | undefined> {
    return this.sessions.refresh(token).then(
      ({ refreshToken }) => refreshToken,
      (error: { code?: string }) => {
        if (error.code !== 'INVALID_REFRESH_TOKEN') throw error;
        return undefined;
      },
    );
  }

  /** Does something between the next decision and its commit. */
  beforeNextCommit(act: () => Promise<unknown>): void {
    beforeNextCommit(this.store, act);
  }
}
