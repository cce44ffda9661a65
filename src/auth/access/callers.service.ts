import { Injectable } from '@nestjs/common';
import { TOTALS } from '../../shared/quotas/account-totals.js';
import { Clock } from '../../shared/time/clock.js';
import { Store } from '../../storage/store.js';
import { USERS } from '../accounts/user.js';
import { API_KEYS, isExpired } from '../api-keys/api-key.js';
import { dueFactors } from '../factors/factors.js';
import { RelyingParty } from '../factors/relying-party.js';
import type {
  ApiKeyPrincipal,
  Credentials,
  Principal,
  SessionCaller,
  UserPrincipal,
} from '../principal.js';
import { SESSIONS } from '../sessions/session.js';

/** Looks up the caller of an authenticated request. */
@Injectable()
export class Callers {
  constructor(
    private readonly store: Store,
    private readonly relyingParty: RelyingParty,
    private readonly clock: Clock,
  ) {}

  /**
   * The current caller; null if the session or API key has ended, or the member or account has been deleted
   * or disabled.
   */
  async find(credentials: Credentials): Promise<Principal | null> {
    const [account, caller] = await Promise.all([
      this.store.find(TOTALS, { _id: credentials.accountId }),
      credentials.type === 'user' ? this.findMember(credentials) : this.findApiKey(credentials),
    ]);
    if (account?.disabledAt !== null || !caller) return null;
    if (caller.type === 'api_key') return caller;
    const lacksFactor = account.mfa === 'required' && caller.factors.length === 0;
    return { ...caller, lacksFactor };
  }

  private async findMember(
    caller: SessionCaller,
  ): Promise<Omit<UserPrincipal, 'lacksFactor'> | null> {
    const [session, user] = await Promise.all([
      this.store.find(SESSIONS, { _id: caller.session }),
      this.store.find(USERS, { _id: caller.id }),
    ]);
    const isLive =
      session?.user === caller.id &&
      session.expiresAt > this.clock.now() &&
      user?.account === caller.accountId &&
      user.disabledAt === null;
    if (!isLive) return null;
    const { name, role } = user;
    const factors = dueFactors(user.factors, this.relyingParty.site?.id);
    return { ...caller, name, role, verifiedAt: session.verifiedAt, factors };
  }

  private async findApiKey(caller: ApiKeyPrincipal): Promise<ApiKeyPrincipal | null> {
    const apiKey = await this.store.find(API_KEYS, { _id: caller.id });
    return apiKey && !isExpired(apiKey, this.clock.now()) ? caller : null;
  }
}
