import { Injectable } from '@nestjs/common';
import { record } from '../../events/event.js';
import { DomainError } from '../../shared/errors/domain-error.js';
import type { AccountId } from '../../shared/ids.js';
import { SecurityLog } from '../../shared/logging/security-log.js';
import { type MfaPolicy, TOTALS } from '../../shared/quotas/account-totals.js';
import { Clock } from '../../shared/time/clock.js';
import { setAll, touch } from '../../storage/changes.js';
import { Decisions } from '../../storage/decisions.js';
import { Store } from '../../storage/store.js';
import type { UserPrincipal } from '../principal.js';
import { withLiveAccess } from '../access/with-live-access.js';

/** What an account requires of its members. */
@Injectable()
export class AccountPolicy {
  constructor(
    private readonly store: Store,
    private readonly decisions: Decisions,
    private readonly securityLog: SecurityLog,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError UNAUTHORIZED if the account was deleted */
  async get(accountId: AccountId): Promise<MfaPolicy> {
    const account = await this.store.find(TOTALS, { _id: accountId });
    if (!account) throw new DomainError('UNAUTHORIZED');
    return account.mfa;
  }

  /** @throws DomainError FACTOR_SETUP_REQUIRED if this would lock out the owner */
  async set(mfa: MfaPolicy, owner: UserPrincipal): Promise<void> {
    const { accountId, id: user } = owner;
    if (mfa === 'required' && owner.factors.length === 0) {
      throw new DomainError('FACTOR_SETUP_REQUIRED');
    }
    const decide = async () => {
      const before = await this.get(accountId);
      const subject = { accountId, _id: accountId, name: owner.name };
      const data = { mfa: [before, mfa] };
      const event = record('account.policy_changed', subject, this.clock.now(), { data });
      const set = setAll(TOTALS, { _id: accountId }, { mfa });
      const changes = before === mfa ? [] : [touch(TOTALS, accountId), set, event];
      return { result: { isChanged: before !== mfa }, changes };
    };
    const { isChanged } = await this.decisions.run(withLiveAccess(owner, decide));
    if (isChanged) this.securityLog.record('policy_changed', { account: accountId, user });
  }
}
