import { Injectable } from '@nestjs/common';
import type { Totals } from '../../../dashboard/dashboard.js';
import { Config } from '../../../shared/config/config.js';
import type { AccountId } from '../../../shared/ids/account-id.js';
import { requireWithinQuotas } from '../../account-quotas.js';
import { SqliteStore } from '../connection/sqlite-store.js';

/** Holds accounts to their quotas, as a part of the writes that add records. */
@Injectable()
export class SqliteQuotas {
  private readonly select;

  constructor(
    store: SqliteStore,
    private readonly config: Config,
  ) {
    this.select = store.prepare('SELECT * FROM totals WHERE owner = ?');
  }

  /**
   * Call it after the inserts, which the triggers have counted; its error undoes them.
   *
   * @throws DomainError CLIENT_QUOTA_REACHED, PROJECT_QUOTA_REACHED, LICENSE_QUOTA_REACHED
   */
  check(account: AccountId, added: Partial<Totals>): void {
    requireWithinQuotas(this.config.quotas, this.select.get(account) as Totals, added);
  }
}
