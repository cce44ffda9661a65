import { Injectable } from '@nestjs/common';
import { Config } from '../shared/config/config.js';
import { DomainError } from '../shared/errors/domain-error.js';
import { AccountsService, type NewAccount } from './accounts.service.js';
import { LoginAddresses } from './login-addresses.js';
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
    private readonly addresses: LoginAddresses,
    private readonly config: Config,
  ) {}

  /**
   * @param address the caller's, as limits count it
   * @throws DomainError EMAIL_ALREADY_REGISTERED, REGISTRATION_CLOSED, OVERLOADED; INVALID_CREDENTIALS and
   *   ACCOUNT_DISABLED where the operator has reset the new password or disabled the account already
   */
  async register(account: NewAccount, address: string): Promise<SignedIn> {
    const user =
      this.config.registration === 'first'
        ? await this.accounts.createFirst(account)
        : await this.accounts.create(account);
    return this.signIn(user, address);
  }

  /**
   * @param address the caller's, as limits count it
   * @throws DomainError INVALID_CREDENTIALS, ACCOUNT_DISABLED, TOO_MANY_REQUESTS, OVERLOADED
   */
  async login(email: string, password: string, address: string): Promise<SignedIn> {
    const isKnown = await this.addresses.isKnown(email, address);
    const attempt = {
      address,
      account: email,
      by: isKnown ? 'known_address' : 'stranger',
    } as const;
    const user = await this.limiter.attempt(attempt, () =>
      this.accounts.findByCredentials(email, password),
    );
    if (!user) throw new DomainError('INVALID_CREDENTIALS');
    return this.signIn(user, address);
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

  private async signIn(user: User, address: string): Promise<SignedIn> {
    return { user, tokens: await this.sessions.start(user, address) };
  }
}
