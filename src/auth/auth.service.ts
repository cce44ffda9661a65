import { Injectable } from '@nestjs/common';
import { DomainError } from '../shared/errors/domain-error.js';
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
  ) {}

  /**
   * @throws DomainError EMAIL_ALREADY_REGISTERED, OVERLOADED; INVALID_CREDENTIALS where the operator has
   *   reset the new password already
   */
  async register(account: NewAccount): Promise<SignedIn> {
    return this.signIn(await this.accounts.create(account));
  }

  /**
   * @param address the caller's, as limits count it
   * @throws DomainError INVALID_CREDENTIALS, TOO_MANY_REQUESTS, OVERLOADED
   */
  async login(email: string, password: string, address: string): Promise<SignedIn> {
    const user = await this.limiter.attempt(address, email, () =>
      this.accounts.findByCredentials(email, password),
    );
    if (!user) throw new DomainError('INVALID_CREDENTIALS');
    return this.signIn(user);
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
    if (!tokens) throw new DomainError('INVALID_CREDENTIALS');
    return { user, tokens };
  }
}
