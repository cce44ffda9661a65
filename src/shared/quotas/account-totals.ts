import { Injectable } from '@nestjs/common';
import { type Change, increment } from '../../storage/changes.js';
import { collection, NOT_STORED, type RecordOf, field } from '../../storage/collection.js';
import { Store } from '../../storage/store.js';
import { Config } from '../config/config.js';
import { DomainError } from '../errors/domain-error.js';
import type { AccountId } from '../ids.js';

export const MFA_POLICIES = ['optional', 'required'] as const;
export type MfaPolicy = (typeof MFA_POLICIES)[number];

const FIELDS = {
  _id: field.id<AccountId>(),
  clientsCount: field.integer(),
  projectsCount: field.integer(),
  licensesCount: field.integer(),
  /** The number of webhooks, including disabled ones. */
  webhooksCount: field.integer(),
  /** The deleted records that can be restored, including machines of licenses among them. */
  binnedCount: field.integer(),
  binnedMachines: field.integer(),
  /** When the operator disabled the account with its members and API keys; null while enabled. */
  disabledAt: field.time().nullable(),
  /** Whether every member needs a second factor. */
  mfa: field.text<MfaPolicy>(),
};

/** An account: whether it is enabled, and its totals, which change with each added or deleted record. */
export type AccountTotals = RecordOf<typeof FIELDS>;

export type Totals = Pick<AccountTotals, 'clientsCount' | 'projectsCount' | 'licensesCount'>;

export const NO_RECORDS: Totals = { clientsCount: 0, projectsCount: 0, licensesCount: 0 };

/** The records that change the totals, apart from webhooks. */
export type CountedRecords = Totals & Pick<AccountTotals, 'binnedCount' | 'binnedMachines'>;

export const newTotals = (_id: AccountId): AccountTotals => ({
  _id,
  ...NO_RECORDS,
  webhooksCount: 0,
  binnedCount: 0,
  binnedMachines: 0,
  disabledAt: null,
  mfa: 'optional',
  version: NOT_STORED,
});

export const TOTALS = collection<AccountTotals>('totals', { fields: FIELDS, account: '_id' });

const QUOTAS = [
  ['clientsCount', 'clients', 'CLIENT_QUOTA_REACHED'],
  ['projectsCount', 'projects', 'PROJECT_QUOTA_REACHED'],
  ['licensesCount', 'licenses', 'LICENSE_QUOTA_REACHED'],
] as const;

/** Counts the records of accounts within their quotas. */
@Injectable()
export class AccountQuotas {
  constructor(
    private readonly config: Config,
    private readonly store: Store,
  ) {}

  /** Counts added records if the account exists and no quota is exceeded, so a deleted account creates nothing. */
  add(accountId: AccountId, added: Partial<CountedRecords>): Change {
    const bounds = this.boundsOf(added).map(({ count, quota }) => [count, quota] as const);
    return increment(TOTALS, accountId, added, { atMost: Object.fromEntries(bounds) });
  }

  /** Counts records that move into or out of the bin, without quotas; no change if none do. */
  count(accountId: AccountId, moved: Partial<CountedRecords>): Change[] {
    const isCounted = Object.values(moved).some((count) => count !== 0);
    return isCounted ? [increment(TOTALS, accountId, moved)] : [];
  }

  subtract(accountId: AccountId, deleted: Partial<CountedRecords>): Change {
    const negative = Object.entries(deleted).map(([name, count]) => [name, -count] as const);
    return increment(TOTALS, accountId, Object.fromEntries(negative));
  }

  /**
   * Explains why {@link add} or {@link subtract} failed, if it did.
   *
   * @param failed the failed change of the previous attempt
   * @throws DomainError CLIENT_QUOTA_REACHED, PROJECT_QUOTA_REACHED, LICENSE_QUOTA_REACHED; UNAUTHORIZED if the account was
   *   deleted in the meantime
   */
  async requireCounted(
    failed: Change | undefined,
    accountId: AccountId,
    added: Partial<CountedRecords> = {},
  ): Promise<void> {
    if (failed?.collection !== TOTALS) return;
    const totals = await this.store.find(TOTALS, { _id: accountId });
    if (!totals) throw new DomainError('UNAUTHORIZED');
    const exceeded = this.boundsOf(added).find(
      ({ count, quota }) => totals[count] + added[count]! > quota,
    );
    if (exceeded) throw new DomainError(exceeded.code);
  }

  /** Checks only the added kinds, because a quota can be lowered below an account's totals. */
  private boundsOf(added: Partial<CountedRecords>) {
    const all = QUOTAS.map(([count, name, code]) => ({
      count,
      code,
      quota: this.config.quotas[name],
    }));
    return all.filter(({ count, quota }) => added[count] && quota > 0);
  }
}
