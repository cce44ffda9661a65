import { Injectable } from '@nestjs/common';
import { Config } from '../shared/config/config.js';
import { DomainError } from '../shared/errors/domain-error.js';
import {
  type SecurityDetails,
  SecurityLog,
  UNKNOWN_ACCOUNT,
} from '../shared/logging/security-log.js';
import { AccountsService, type NewAccount } from './accounts/accounts.service.js';
import { LoginAddresses } from './sessions/login-addresses.js';
import { LoginFailures } from './accounts/login-failures.service.js';
import { LoginLimiter } from '../limits/login-limiter.js';
import { SessionsService, type TokenPair } from './sessions/sessions.service.js';
import type { User } from './accounts/user.js';

export interface SignedIn {
  readonly user: User;
  readonly tokens: TokenPair;
}

/** Registers accounts and logs them in. The address of a caller is the one that rate limits count by. */
@Injectable()
export class AuthService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly sessions: SessionsService,
    private readonly limiter: LoginLimiter,
    private readonly addresses: LoginAddresses,
    private readonly failures: LoginFailures,
    private readonly securityLog: SecurityLog,
    private readonly config: Config,
  ) {}

  /** Whether accounts can be registered now; `first` is open until any account exists. */
  async isRegistrationOpen(): Promise<boolean> {
    const { registration } = this.config;
    return registration === 'first' ? !(await this.accounts.exist()) : registration === 'open';
  }

  async register(
    account: NewAccount,
    address: string,
    userAgent: string | null,
  ): Promise<SignedIn> {
    const user =
      this.config.registration === 'first'
        ? await this.accounts.createFirst(account)
        : await this.accounts.create(account);
    this.securityLog.record('registration', idsOf(user));
    return this.signIn(user, address, userAgent);
  }

  async login(
    email: string,
    password: string,
    address: string,
    userAgent: string | null,
  ): Promise<SignedIn> {
    const isKnown = await this.addresses.isKnown(email, address);
    const by = isKnown ? 'known_address' : 'stranger';
    let ids: SecurityDetails = { account: UNKNOWN_ACCOUNT };
    const user = await this.limiter.attempt(
      { address, account: email, by },
      async () => {
        const found = await this.accounts.findByCredentials(email, password);
        if (found.user) ids = idsOf(found.user);
        if (!found.isRight) this.securityLog.record('login_failed', ids);
        if (!found.isRight && found.user) this.failures.note(found.user);
        return found.isRight ? found.user : null;
      },
      (limit) => this.securityLog.record('lockout', { ...ids, limit }),
    );
    if (!user) throw new DomainError('INVALID_CREDENTIALS');
    const signedIn = await this.signIn(user, address, userAgent);
    this.securityLog.record('login', ids);
    return signedIn;
  }

  /** Starts the session of a user whose password is known. */
  async signIn(user: User, address: string, userAgent: string | null): Promise<SignedIn> {
    try {
      return { user, tokens: await this.sessions.start(user, address, userAgent) };
    } catch (error) {
      if (isRejection(error)) this.securityLog.record('login_failed', idsOf(user));
      throw error;
    }
  }
}

const idsOf = ({ account, _id: user }: User) => ({ account, user });

/** Whether the password was changed meanwhile, or the account is disabled. */
const isRejection = (error: unknown) =>
  error instanceof DomainError && ['INVALID_CREDENTIALS', 'ACCOUNT_DISABLED'].includes(error.code);
