import { Injectable } from '@nestjs/common';
import type { Totals } from '../../../dashboard/dashboard.js';
import { Config } from '../../../shared/config/config.js';
import type { AccountId } from '../../../shared/ids/account-id.js';
import { requireWithinQuotas } from '../../account-quotas.js';
import { SqliteStore } from '../connection/sqlite-store.js';

/** The check of quotas in writes that add records. */
@Injectable()
export class SqliteQuotas {
  private readonly select;

  constructor(
    store: SqliteStore,
    private readonly config: Config,
  ) {
    this.select = store.prepare('SELECT * FROM totals WHERE owner = ?');
  }

  /** To be called after the inserts, which triggers have counted: an error rolls them back. */
  check(account: AccountId, added: Partial<Totals>): void {
    requireWithinQuotas(this.config.quotas, this.select.get(account) as Totals, added);
  }
}
