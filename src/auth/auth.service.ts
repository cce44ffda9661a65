import { Injectable } from '@nestjs/common';
import { DomainError } from '../shared/errors/domain-error.js';
import { SecurityLog, UNKNOWN_ACCOUNT } from '../shared/logging/security-log.js';
import { AccountsService, type NewAccount } from './accounts.service.js';
import { LoginLimiter } from './login-limiter.js';
import { SessionsService } from './sessions.service.js';
import type { TokenPair } from './token-pair.js';
import type { User } from './user.js';

/** An account and the tokens of its new session. */
export interface SignedIn {
  readonly user: User;
  readonly tokens: TokenPair;
}

@Injectable()
export class AuthService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly sessions: SessionsService,
    private readonly limiter: LoginLimiter,
    private readonly securityLog: SecurityLog,
  ) {}

  /**
   * @throws DomainError EMAIL_ALREADY_REGISTERED, OVERLOADED; INVALID_CREDENTIALS where the operator has
   *   reset the new password already
   */
  async register(account: NewAccount): Promise<SignedIn> {
    const user = await this.accounts.create(account);
    this.securityLog.record('registration', { account: user._id });
    return this.signIn(user);
  }

  /**
   * @param address the caller's, as limits count it
   * @throws DomainError INVALID_CREDENTIALS, TOO_MANY_REQUESTS, OVERLOADED
   */
  async login(email: string, password: string, address: string): Promise<SignedIn> {
    let account = UNKNOWN_ACCOUNT;
    const user = await this.limiter.attempt(
      address,
      email,
      async () => {
        const found = await this.accounts.findByCredentials(email, password);
        account = found.account?._id ?? UNKNOWN_ACCOUNT;
        if (!found.isRight) this.securityLog.record('login_failed', { account });
        return found.isRight ? found.account : null;
      },
      (limit) => this.securityLog.record('lockout', { account, limit }),
    );
    if (!user) throw new DomainError('INVALID_CREDENTIALS');
    const signedIn = await this.signIn(user);
    this.securityLog.record('login', { account });
    return signedIn;
  }

  /** @throws DomainError INVALID_REFRESH_TOKEN */
  refresh(refreshToken: string): Promise<TokenPair> {
    return this.sessions.refresh(refreshToken);
  }

  logout(refreshToken: string): Promise<void> {
    return this.sessions.end(refreshToken);
  }

  /** @throws DomainError UNAUTHORIZED where the account is gone */
  async getUser(_id: string): Promise<User> {
    const user = await this.accounts.find(_id);
    if (!user) throw new DomainError('UNAUTHORIZED');
    return user;
  }

  private async signIn(user: User): Promise<SignedIn> {
    const tokens = await this.sessions.start(user);
    if (!tokens) {
      this.securityLog.record('login_failed', { account: user._id });
      throw new DomainError('INVALID_CREDENTIALS');
    }
    return { user, tokens };
  }
}
