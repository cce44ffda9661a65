import { Injectable } from '@nestjs/common';
import { DomainError } from '../errors/domain-error.js';
import { IdempotencyKeyTaken, type IdempotencyRecord } from './idempotency-record.js';
import { IdempotencyRepository } from './idempotency.repository.js';

/** Executes the write of an idempotency key once, and returns the first result when it is repeated. */
@Injectable()
export class IdempotentWrites {
  constructor(private readonly records: IdempotencyRepository) {}

  /**
   * @param idempotency undefined if the request has no key: then the write is simply executed
   * @param write must call a port's method that takes the record, and return the result that this method stores
   * @throws DomainError IDEMPOTENCY_KEY_REUSED if the key was used for another request
   */
  async once<T>(idempotency: IdempotencyRecord | undefined, write: () => Promise<T>): Promise<T> {
    if (!idempotency) return write();
    const earlier = await this.find<T>(idempotency);
    if (earlier) return earlier.result;
    try {
      return await write();
    } catch (error) {
      // A concurrent request with the same key was faster, or its change caused the failure of this one.
      const concurrent = await this.find<T>(idempotency);
      if (concurrent) return concurrent.result;
      throw error instanceof IdempotencyKeyTaken
        ? new Error('The idempotency record that was stored first is gone')
        : error;
    }
  }

  /**
   * The stored result of an earlier request with the same key.
   *
   * @throws DomainError IDEMPOTENCY_KEY_REUSED if that was another request
   */
  async find<T>(idempotency: IdempotencyRecord): Promise<{ result: T } | undefined> {
    const stored = await this.records.find(idempotency._id, idempotency.createdAt);
    if (!stored) return undefined;
    if (stored.requestHash !== idempotency.requestHash)
      throw new DomainError('IDEMPOTENCY_KEY_REUSED');
    return { result: stored.result as T };
  }
}
