import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { EXPORT_PAGE_SIZE, Exports } from '../shared/exports.js';
import type { AccountId } from '../shared/ids/account-id.js';
import { Clock } from '../shared/time/clock.js';
import { CSV_COLUMNS, toCsvLine } from './csv.js';
import { LicensePresenter } from './license.presenter.js';
import type { LicenseQuery } from './license-query.js';
import { LicenseReader } from './license-reader.js';

/** Exports the licenses of an account as CSV (RFC 4180), without their keys. */
@Injectable()
export class LicenseExport {
  constructor(
    private readonly exports: Exports,
    private readonly licenses: LicenseReader,
    private readonly presenter: LicensePresenter,
    private readonly clock: Clock,
  ) {}

  /**
   * The licenses that a query selects.
   *
   * @throws DomainError TOO_MANY_CONCURRENT_REQUESTS while another export of the account is in progress
   */
  stream(accountId: AccountId, query: LicenseQuery): Readable {
    const head = toCsvLine(CSV_COLUMNS);
    return this.exports.stream(
      accountId,
      async (after) => {
        const request = { limit: EXPORT_PAGE_SIZE, after };
        const { data, next } = await this.licenses.list(
          accountId,
          query,
          request,
          this.clock.now(),
        );
        const lines = (await this.presenter.presentAll(data)).map((license) =>
          toCsvLine(CSV_COLUMNS.map((name) => license[name])),
        );
        return { text: lines.join(''), next };
      },
      head,
    );
  }
}
