import { Injectable } from '@nestjs/common';
import { TOTALS } from '../../shared/quotas/account-totals.js';
import { Clock } from '../../shared/time/clock.js';
import { Store } from '../../storage/store.js';
import { USERS } from '../accounts/user.js';
import type { ApiKeyPrincipal, Principal, UserPrincipal } from '../principal.js';
import { SESSIONS } from '../sessions/session.js';

/** The caller of a verified access token, before its session is looked up, or that of an API key. */
export type Credentials =
  | Pick<UserPrincipal, 'accountId' | 'type' | 'id' | 'session'>
  | ApiKeyPrincipal;

/** Looks up who the callers are now: a role, a session and an account count as of each request. */
@Injectable()
export class Principals {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
  ) {}

  /** Null where the session has ended, or the member or the account is gone or disabled. */
  async load(credentials: Credentials): Promise<Principal | null> {
    const { accountId } = credentials;
    if (credentials.type === 'api_key') {
      const account = await this.store.find(TOTALS, { _id: accountId });
      return account?.disabledAt === null ? credentials : null;
    }
    const [session, user, account] = await Promise.all([
      this.store.find(SESSIONS, { _id: credentials.session }),
      this.store.find(USERS, { _id: credentials.id }),
      this.store.find(TOTALS, { _id: accountId }),
    ]);
    const isLive =
      session?.user === credentials.id &&
      session.expiresAt > this.clock.now() &&
      user?.account === accountId &&
      user.disabledAt === null &&
      account?.disabledAt === null;
    return isLive ? { ...credentials, name: user.name, role: user.role } : null;
  }
}
