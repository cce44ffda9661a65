import { Readable } from 'node:stream';
import { Injectable, StreamableFile } from '@nestjs/common';
import { DomainError } from './errors/domain-error.js';
import type { AccountId } from './ids/account-id.js';
import type { Position } from './pagination/page.js';
import { Deadline, requestContext } from './request-context.js';

/** Longest duration of an export, in milliseconds. */
const MAX_DURATION = 10 * 60_000;

/** Records that an export reads at a time. */
export const EXPORT_PAGE_SIZE = 500;

/** A part of an export, and the position after which the next one begins; null in the last one. */
export interface ExportPage {
  readonly text: string;
  readonly next: Position | null;
}

/** Streams what is too much for a response at once: one export of an account at a time. */
@Injectable()
export class Exports {
  private readonly inProgress = new Set<AccountId>();
  private readonly deadline = new Deadline();

  /**
   * A file to be downloaded.
   *
   * @param read reads a page, once the caller has taken the one before
   * @throws DomainError TOO_MANY_CONCURRENT_REQUESTS while another export of the account is in progress
   */
  file(
    accountId: AccountId,
    name: string,
    type: 'text/csv' | 'application/x-ndjson',
    read: (after: Position | undefined) => Promise<ExportPage>,
  ): StreamableFile {
    if (this.inProgress.has(accountId)) {
      throw new DomainError('TOO_MANY_CONCURRENT_REQUESTS', {}, { rejectedBy: 'account' });
    }
    this.inProgress.add(accountId);
    const signal = AbortSignal.timeout(MAX_DURATION);
    const stream = Readable.from(this.pages(read), { highWaterMark: 1, signal });
    stream.once('close', () => this.inProgress.delete(accountId));
    return new StreamableFile(stream, {
      type: `${type}; charset=utf-8`,
      disposition: `attachment; filename="${name}"`,
    });
  }

  private async *pages(
    read: (after: Position | undefined) => Promise<ExportPage>,
  ): AsyncGenerator<string> {
    let after: Position | undefined;
    for (;;) {
      const { text, next } = await this.withinDeadline(() => read(after));
      if (text) yield text;
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
