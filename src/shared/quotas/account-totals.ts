import { Injectable } from '@nestjs/common';
import { type Change, increment } from '../../storage/changes.js';
import {
  collection,
  id,
  integer,
  NOT_STORED,
  type RecordOf,
  time,
} from '../../storage/collection.js';
import { Store } from '../../storage/store.js';
import { Config, type Quotas } from '../config/config.js';
import { DomainError } from '../errors/domain-error.js';
import type { AccountId } from '../ids/account-id.js';

const FIELDS = {
  _id: id<AccountId>(),
  clientsCount: integer(),
  projectsCount: integer(),
  licensesCount: integer(),
  /** The webhooks, disabled ones included. */
  webhooksCount: integer(),
  /** When the operator disabled the account, with its members and API keys; null while it is enabled. */
  disabledAt: time().nullable(),
};

/** An account: whether it is enabled, and its totals, which change with each record that is added or deleted. */
export type AccountTotals = RecordOf<typeof FIELDS>;

export type Totals = Pick<AccountTotals, 'clientsCount' | 'projectsCount' | 'licensesCount'>;

export const NO_RECORDS: Totals = { clientsCount: 0, projectsCount: 0, licensesCount: 0 };

export const newTotals = (_id: AccountId): AccountTotals => ({
  _id,
  ...NO_RECORDS,
  webhooksCount: 0,
  disabledAt: null,
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
  private readonly quotas: Quotas;

  constructor(
    config: Config,
    private readonly store: Store,
  ) {
    this.quotas = config.quotas;
  }

  /** Counts added records, on condition that the account exists and no quota is exceeded: a deleted account creates nothing. */
  add(accountId: AccountId, added: Partial<Totals>): Change {
    return increment(TOTALS, accountId, added, { atMost: boundsOf(added, this.quotas) });
  }

  subtract(accountId: AccountId, deleted: Partial<Totals>): Change {
    const negative = Object.entries(deleted).map(([name, count]) => [name, -count] as const);
    return increment(TOTALS, accountId, Object.fromEntries(negative));
  }

  /**
   * Explains why {@link add} failed, where it did.
   *
   * @param failed the change of the attempt before
   * @throws DomainError CLIENT_QUOTA_REACHED, PROJECT_QUOTA_REACHED, LICENSE_QUOTA_REACHED; UNAUTHORIZED where the account was deleted
   *   meanwhile
   */
  async explain(
    failed: Change | undefined,
    accountId: AccountId,
    added: Partial<Totals>,
  ): Promise<void> {
    if (failed?.collection !== TOTALS) return;
    const totals = await this.store.find(TOTALS, { _id: accountId });
    const code = totals ? exceededQuota(totals, added, this.quotas) : 'UNAUTHORIZED';
    if (code) throw new DomainError(code);
  }
}

/** A quota may be lowered below what an account has: only what is added counts. */
function boundsOf(added: Partial<Totals>, quotas: Quotas): Partial<Totals> {
  const bounds = QUOTAS.filter(([count, quota]) => added[count] && quotas[quota] > 0);
  return Object.fromEntries(bounds.map(([count, quota]) => [count, quotas[quota]]));
}

function exceededQuota(totals: Totals, added: Partial<Totals>, quotas: Quotas) {
  const bounds = boundsOf(added, quotas);
  return QUOTAS.find(
    ([count]) => totals[count] + (added[count] ?? 0) > (bounds[count] ?? Infinity),
  )?.[2];
}
