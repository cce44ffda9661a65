import { Readable } from 'node:stream';
import { Injectable, StreamableFile } from '@nestjs/common';
import { Callers } from '../auth/access/access.guard.js';
import type { Principal } from '../auth/principal.js';
import { DomainError } from '../shared/errors/domain-error.js';
import type { AccountId } from '../shared/ids.js';
import type { Page, PageRequest } from '../shared/pagination/page.js';
import { Deadline, requestContext } from '../shared/request-context.js';

/** Maximum duration of an export, in milliseconds. */
const MAX_DURATION = 10 * 60_000;

/** Page size, in records. */
const PAGE_SIZE = 100;

/** Reads one page of lines. */
type ReadLines = (page: PageRequest) => Promise<Page<string>>;

/** Streams data too large for a page. Runs one export per account at a time. */
@Injectable()
export class Exports {
  private readonly inProgress = new Set<AccountId>();
  private readonly deadline = new Deadline();

  constructor(private readonly callers: Callers) {}

  /**
   * A file download. Closes the connection before the next page if the caller's session, member or API key has ended.
   *
   * @param read reads a page after the caller has received the previous one
   * @throws DomainError TOO_MANY_CONCURRENT_REQUESTS while another export of the account is in progress
   */
  file(
    caller: Principal,
    name: string,
    type: 'text/csv' | 'application/x-ndjson',
    read: ReadLines,
  ): StreamableFile {
    const { accountId } = caller;
    if (this.inProgress.has(accountId)) {
      throw new DomainError('TOO_MANY_CONCURRENT_REQUESTS', {}, { rejectedBy: 'account' });
    }
    this.inProgress.add(accountId);
    const signal = AbortSignal.timeout(MAX_DURATION);
    const stream = Readable.from(this.pages(caller, read), { highWaterMark: 1, signal });
    stream.once('close', () => this.inProgress.delete(accountId));
    return new StreamableFile(stream, {
      type: `${type}; charset=utf-8`,
      disposition: `attachment; filename="${name}"`,
    });
  }

  private async *pages(caller: Principal, read: ReadLines): AsyncGenerator<string> {
    let after: PageRequest['after'];
    for (;;) {
      const { data, next } = await this.withinDeadline(() => read({ limit: PAGE_SIZE, after }));
      if (data.length > 0) yield data.join('');
      if (!next) return;
      after = next;
      const isLive = await this.withinDeadline(() => this.callers.find(caller));
      if (!isLive) throw new DomainError('UNAUTHORIZED');
    }
  }

  /** Each page has its own deadline. */
  private withinDeadline<T>(work: () => Promise<T>): Promise<T> {
    const context = requestContext.getStore();
    if (!context) return work();
    const endsAt = performance.now() + this.deadline.milliseconds;
    return requestContext.run({ ...context, endsAt }, work);
  }
}
