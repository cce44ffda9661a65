import { Injectable } from '@nestjs/common';
import { DomainError } from '../../shared/errors/domain-error.js';
import { newObjectId } from '../../shared/ids/object-id.js';
import { SecurityLog } from '../../shared/logging/security-log.js';
import { Clock } from '../../shared/time/clock.js';
import { ACCESS_TOKEN_SECONDS } from '../access-tokens/access-token.js';
import { AccessTokenService } from '../access-tokens/access-token.service.js';
import { LoginAddresses } from './login-addresses.js';
import { hashRefreshToken, newRefreshToken, REFRESH_TOKEN_LIFE } from './refresh-token.js';
import type { Session } from './session.js';
import { SessionsRepository } from './sessions.repository.js';
import type { User } from '../accounts/user.js';

/** The tokens of a session. */
export interface TokenPair {
  readonly accessToken: string;
  readonly tokenType: 'Bearer';
  /** Seconds until the access token expires. */
  readonly expiresIn: number;
  readonly refreshToken: string;
}

/** Starts, refreshes and ends sessions. */
@Injectable()
export class SessionsService {
  constructor(
    private readonly sessions: SessionsRepository,
    private readonly addresses: LoginAddresses,
    private readonly accessTokens: AccessTokenService,
    private readonly securityLog: SecurityLog,
    private readonly clock: Clock,
  ) {}

  /**
   * Starts a session of an account whose password was verified.
   *
   * @throws DomainError INVALID_CREDENTIALS where the password was changed meanwhile; ACCOUNT_DISABLED
   */
  async start({ _id: user, email, passwordHash }: User, address: string): Promise<TokenPair> {
    const { now, expiresAt } = this.term();
    const session = { _id: newObjectId(), user, startedAt: now, expiresAt };
    const refreshToken = newRefreshToken();
    const addressHash = this.addresses.hash(email, address);
    const login = { passwordHash, addressHash, ...hashRefreshToken(refreshToken) };
    switch (await this.sessions.start(session, login)) {
      case 'started':
        return this.pair(session, refreshToken);
      case 'password_changed':
        throw new DomainError('INVALID_CREDENTIALS');
      case 'account_disabled':
        throw new DomainError('ACCOUNT_DISABLED');
    }
  }

  /** @throws DomainError INVALID_REFRESH_TOKEN; a token that was spent before also ends its session */
  async refresh(spent: string): Promise<TokenPair> {
    const { now, expiresAt } = this.term();
    const refreshToken = newRefreshToken(spent);
    const successor = { tokenHash: hashRefreshToken(refreshToken).tokenHash, expiresAt };
    const rotation = await this.sessions.rotate(hashRefreshToken(spent), successor, now);
    if (rotation.outcome === 'replayed') this.record('refresh_token_replayed', rotation.session);
    if (rotation.outcome !== 'rotated') throw new DomainError('INVALID_REFRESH_TOKEN');
    return this.pair(rotation.session, refreshToken);
  }

  /** Ends the session of a refresh token, if there is one. */
  async end(refreshToken: string): Promise<void> {
    const session = await this.sessions.end(hashRefreshToken(refreshToken));
    if (session) this.record('logout', session);
  }

  private record(event: 'logout' | 'refresh_token_replayed', { _id, user }: Session): void {
    this.securityLog.record(event, { account: user, session: _id });
  }

  private term(): { now: Date; expiresAt: Date } {
    const now = this.clock.now();
    return { now, expiresAt: new Date(now.getTime() + REFRESH_TOKEN_LIFE) };
  }

  private pair({ user, _id }: Session, refreshToken: string): TokenPair {
    return {
      accessToken: this.accessTokens.issue({ accountId: user, session: _id }),
      tokenType: 'Bearer',
      expiresIn: ACCESS_TOKEN_SECONDS,
      refreshToken,
    };
  }
}
