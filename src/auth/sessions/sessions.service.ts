import { Injectable } from '@nestjs/common';
import { type Actor, EVENTS, record } from '../../events/event.js';
import { DomainError } from '../../shared/errors/domain-error.js';
import { newRecord } from '../../shared/ids.js';
import { SecurityLog } from '../../shared/logging/security-log.js';
import { TOTALS } from '../../shared/quotas/account-totals.js';
import { Clock } from '../../shared/time/clock.js';
import {
  type Change,
  increment,
  insert,
  MAX_BATCH_SIZE,
  remove,
  replace,
} from '../../storage/changes.js';
import { type Decision, Decisions } from '../../storage/decisions.js';
import { Store } from '../../storage/store.js';
import { ACCESS_TOKEN_SECONDS, AccessTokens } from '../access/access-tokens.js';
import { actorOf, idsOf, newAccountEvent, type User, USERS } from '../accounts/user.js';
import type { TokenPairResponse } from '../dto/tokens.response.js';
import { type Checked, FactorChecks } from '../factors/factor-checks.service.js';
import { dueFactors } from '../factors/factors.js';
import { RelyingParty } from '../factors/relying-party.js';
import type { UserPrincipal } from '../principal.js';
import { LoginAddresses } from './login-addresses.js';
import {
  type Device,
  hashRefreshToken,
  MAX_SESSIONS,
  newRefreshToken,
  REFRESH_TOKEN_LIFE,
  type RefreshTokenHashes,
  rotated,
  type Session,
  SESSIONS,
} from './session.js';

export type TokenPair = Readonly<Omit<TokenPairResponse, 'message'>>;

interface StartOptions {
  readonly check?: (user: User) => Promise<Checked>;
  readonly isFirst?: boolean;
}

@Injectable()
export class SessionsService {
  constructor(
    private readonly store: Store,
    private readonly decisions: Decisions,
    private readonly addresses: LoginAddresses,
    private readonly checks: FactorChecks,
    private readonly relyingParty: RelyingParty,
    private readonly accessTokens: AccessTokens,
    private readonly securityLog: SecurityLog,
    private readonly clock: Clock,
  ) {}

  /**
   * Starts a session for a member whose password was verified. No session outlives the password it was
   * started with.
   *
   * @param options.check checks the second factor; its changes are committed with the session
   * @param options.isFirst whether the login is new, so the session has no event of its own
   * @throws DomainError INVALID_CREDENTIALS if the password changed or a second factor was added in the
   *   meantime; ACCOUNT_DISABLED; the error of the check
   */
  async start(
    verified: User,
    device: Device,
    { check, isFirst = false }: StartOptions = {},
  ): Promise<TokenPair> {
    const refreshToken = newRefreshToken();
    const decide = async (): Promise<Decision<{ session: Session } | Checked>> => {
      const user = await this.store.find(USERS, { _id: verified._id });
      const isProved = user?.passwordHash === verified.passwordHash;
      if (!isProved || (!check && this.isFactorDue(user))) {
        throw this.logRejection(verified, 'INVALID_CREDENTIALS');
      }
      const account = await this.store.find(TOTALS, { _id: user.account });
      if (user.disabledAt || account?.disabledAt !== null) {
        throw this.logRejection(user, 'ACCOUNT_DISABLED');
      }
      const checked = await check?.(user);
      if (checked?.rejection) {
        return { result: checked, changes: this.checks.changesOf(user, checked) };
      }
      const createdAt = this.clock.now();
      const { address } = device;
      const data = { address, ...(checked && { factor: checked.factor }) };
      const session: Session = {
        ...newRecord(),
        user: user._id,
        accountId: user.account,
        createdAt,
        lastUsedAt: createdAt,
        verifiedAt: createdAt,
        totpSetup: null,
        expiresAt: new Date(createdAt.getTime() + REFRESH_TOKEN_LIFE),
        ...device,
        ...hashRefreshToken(refreshToken),
      };
      const changes = [
        // Conflicts with a new password, with removal of the member and with the member's other logins.
        replace(USERS, user, checked?.user ?? user),
        ...(checked?.changes ?? []),
        increment(TOTALS, user.account, {}, { where: { disabledAt: null } }),
        insert(SESSIONS, session),
        ...(await this.endSurplus(user._id)),
        ...(await this.addresses.add(user, address, createdAt)),
        ...(isFirst
          ? []
          : [insert(EVENTS, newAccountEvent('account.logged_in', user, createdAt, { data }))]),
      ];
      return { result: { session }, changes };
    };
    const started = await this.decisions.run(decide, { key: verified._id });
    if ('session' in started) return this.toTokenPair(started.session, refreshToken);
    this.checks.logRejection(started);
    throw started.rejection!;
  }

  private isFactorDue({ factors }: User): boolean {
    return dueFactors(factors, this.relyingParty.site?.id).length > 0;
  }

  /**
   * Spends a refresh token. If one token is used concurrently, at most one use receives new tokens.
   *
   * @throws DomainError INVALID_REFRESH_TOKEN; reusing a spent token, however old, also ends its session
   */
  async refresh(spent: string, device: Device): Promise<TokenPair> {
    const token = hashRefreshToken(spent);
    const refreshToken = newRefreshToken(spent);
    const { tokenHash } = hashRefreshToken(refreshToken);
    const decide = async () => {
      const session = await this.findByToken(token);
      if (!session) throw new DomainError('INVALID_REFRESH_TOKEN');
      const isReplay = session.tokenHash !== token.tokenHash;
      const after = rotated(session, tokenHash, device, this.clock.now());
      const changes = isReplay ? this.endSession(session) : [replace(SESSIONS, session, after)];
      return { result: { session, isReplay }, changes };
    };
    const { session, isReplay } = await this.decisions.run(decide, { key: token.familyHash });
    if (!isReplay) return this.toTokenPair(session, refreshToken);
    this.logSession('refresh_token_replayed', session);
    throw new DomainError('INVALID_REFRESH_TOKEN');
  }

  /** Ends the session of a refresh token, whether or not the token is spent, if one exists. */
  async end(refreshToken: string): Promise<void> {
    const token = hashRefreshToken(refreshToken);
    const ended = await this.decisions.run(async () => {
      const session = await this.findByToken(token);
      if (!session) return { result: undefined, changes: [] };
      const user = await this.store.find(USERS, { _id: session.user });
      return {
        result: session,
        changes: this.endSession(session, user ? actorOf(user) : undefined),
      };
    });
    if (ended) this.logSession('logout', ended);
  }

  /** The live sessions of a member, most recently used first; at most {@link MAX_SESSIONS}. */
  async list({ id: user }: UserPrincipal): Promise<Session[]> {
    const live = await this.listLive(user);
    return live.sort((one, other) => other.lastUsedAt.getTime() - one.lastUsedAt.getTime());
  }

  /** Ends one of the member's sessions. */
  async endOne(_id: string, { id }: UserPrincipal): Promise<void> {
    const decide = async () => {
      const session = await this.store.find(SESSIONS, { _id });
      if (session?.user !== id) throw new DomainError('SESSION_NOT_FOUND');
      return { result: session, changes: this.endSession(session) };
    };
    this.logSession('session_ended', await this.decisions.run(decide));
  }

  /** The member's sessions except the current one. */
  async listOthers(principal: UserPrincipal): Promise<Session[]> {
    return (await this.list(principal)).filter(({ _id }) => _id !== principal.session);
  }

  async endOthers(principal: UserPrincipal): Promise<void> {
    const decide = async () => {
      const others = await this.listOthers(principal);
      return { result: others, changes: others.flatMap((session) => this.endSession(session)) };
    };
    for (const session of await this.decisions.run(decide))
      this.logSession('session_ended', session);
  }

  /** The changes that end a session, caused by the caller or the service unless `by` names someone else. */
  endSession(session: Session, by?: Actor): Change[] {
    const { _id, accountId, user, address, userAgent } = session;
    const subject = { accountId, _id, name: userAgent ?? '' };
    const details = { data: { user, address }, ...(by && { by }) };
    const event = record('session.ended', subject, this.clock.now(), details);
    return [remove(SESSIONS, session), event];
  }

  /** The session of a refresh token, spent or not. */
  private async findByToken({ familyHash }: RefreshTokenHashes): Promise<Session | null> {
    const session = await this.store.find(SESSIONS, { familyHash });
    return session && session.expiresAt > this.clock.now() ? session : null;
  }

  /** The changes that make room for another session of a member. */
  private async endSurplus(user: string): Promise<Change[]> {
    const live = await this.listLive(user);
    return live.slice(MAX_SESSIONS - 1).flatMap((session) => this.endSession(session));
  }

  /**
   * The login and session of a caller, as they are now.
   *
   * @throws DomainError UNAUTHORIZED if one of them was deleted
   */
  async ofCaller(caller: UserPrincipal): Promise<{ user: User; session: Session }> {
    const [user, session] = await Promise.all([
      this.store.find(USERS, { _id: caller.id }),
      this.store.find(SESSIONS, { _id: caller.session }),
    ]);
    if (!user || !session) throw new DomainError('UNAUTHORIZED');
    return { user, session };
  }

  /** The unexpired sessions of a member, latest expiry first. */
  async listLive(user: string): Promise<Session[]> {
    const byExpiry = { by: 'expiresAt', direction: 'desc' } as const;
    const found = await this.store.list(SESSIONS, { user }, byExpiry, { limit: MAX_BATCH_SIZE });
    const now = this.clock.now();
    return found.filter(({ expiresAt }) => expiresAt > now);
  }

  private logRejection(user: User, code: 'INVALID_CREDENTIALS' | 'ACCOUNT_DISABLED'): DomainError {
    this.securityLog.record('login_failed', idsOf(user));
    return new DomainError(code);
  }

  private logSession(
    event: 'logout' | 'refresh_token_replayed' | 'session_ended',
    { _id, user, accountId }: Session,
  ): void {
    this.securityLog.record(event, { account: accountId, user, session: _id });
  }

  private toTokenPair(session: Session, refreshToken: string): TokenPair {
    return {
      accessToken: this.accessTokens.issue(session),
      tokenType: 'Bearer',
      expiresIn: ACCESS_TOKEN_SECONDS,
      refreshToken,
    };
  }
}
