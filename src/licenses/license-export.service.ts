import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { DomainError } from '../shared/errors/domain-error.js';
import type { AccountId } from '../shared/ids/account-id.js';
import type { Position } from '../shared/pagination/page.js';
import { Deadline, requestContext } from '../shared/request-context.js';
import { Clock } from '../shared/time/clock.js';
import { CSV_COLUMNS, toCsvLine } from './csv.js';
import { LicensePresenter } from './license.presenter.js';
import type { LicenseQuery } from './license-query.js';
import { LicenseReader } from './license-reader.js';

/** Licenses that are read at a time. */
const PAGE = 500;
/** Longest duration of an export, in milliseconds. */
const MAX_DURATION = 10 * 60_000;

/** Exports the licenses of an account as CSV (RFC 4180), without their keys: one export of an account at a time. */
@Injectable()
export class LicenseExport {
  private readonly inProgress = new Set<AccountId>();
  private readonly deadline = new Deadline();

  constructor(
    private readonly licenses: LicenseReader,
    private readonly presenter: LicensePresenter,
    private readonly clock: Clock,
  ) {}

  /**
   * The licenses that a query selects. A page is read once the caller has taken the one before.
   *
   * @throws DomainError TOO_MANY_CONCURRENT_REQUESTS while another export of the account is in progress
   */
  stream(accountId: AccountId, query: LicenseQuery): Readable {
    if (this.inProgress.has(accountId)) {
      throw new DomainError('TOO_MANY_CONCURRENT_REQUESTS', {}, { rejectedBy: 'account' });
    }
    this.inProgress.add(accountId);
    const stream = Readable.from(this.pages(accountId, query), { highWaterMark: 1 });
    const end = () => stream.destroy(new Error('An export took too long'));
    const timer = setTimeout(end, MAX_DURATION);
    stream.once('close', () => {
      clearTimeout(timer);
      this.inProgress.delete(accountId);
    });
    return stream;
  }

  private async *pages(accountId: AccountId, query: LicenseQuery): AsyncGenerator<string> {
    yield toCsvLine(CSV_COLUMNS);
    let after: Position | undefined;
    for (;;) {
      const { data, next } = await this.withinDeadline(async () => {
        const request = { limit: PAGE, after };
        const page = await this.licenses.list(accountId, query, request, this.clock.now());
        return { ...page, data: await this.presenter.presentAll(page.data) };
      });
      const lines = data.map((license) => toCsvLine(CSV_COLUMNS.map((name) => license[name])));
      if (lines.length > 0) yield lines.join('');
      if (!next) return;
      after = next;
    }
  }

  /** Each page has a deadline of its own. */
  private withinDeadline<T>(work: () => Promise<T>): Promise<T> {
    const context = requestContext.getStore();
    if (!context) return work();
    const endsAt = performance.now() + this.deadline.milliseconds;
    return requestContext.run({ ...context, endsAt }, work);
  }
}
