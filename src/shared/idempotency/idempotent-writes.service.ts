import { Injectable } from '@nestjs/common';
import { DomainError } from '../errors/domain-error.js';
import { IdempotencyKeyTaken, type IdempotencyRecord } from './idempotency-record.js';
import { IdempotencyRepository } from './idempotency.repository.js';

/** Does what an idempotency key stands for once, and gives its first result to whoever repeats it. */
@Injectable()
export class IdempotentWrites {
  constructor(private readonly records: IdempotencyRepository) {}

  /**
   * @param idempotency undefined where the consumer sent no key: then the write is simply done
   * @param write ends in a port's method that takes the claim; its result must be what that method keeps
   * @throws DomainError IDEMPOTENCY_KEY_REUSED where the key was used for another request
   */
  async once<T>(idempotency: IdempotencyRecord | undefined, write: () => Promise<T>): Promise<T> {
    if (!idempotency) return write();
    const earlier = await this.find<T>(idempotency);
    if (earlier) return earlier.result;
    try {
      return await write();
    } catch (error) {
      // A twin that runs at the same time was faster; or the change itself stood in this one's way.
      const twin = await this.find<T>(idempotency);
      if (twin) return twin.result;
      throw error instanceof IdempotencyKeyTaken
        ? new Error('A claim was taken and is gone')
        : error;
    }
  }

  /**
   * What has been kept of an earlier request with the same key.
   *
   * @throws DomainError IDEMPOTENCY_KEY_REUSED where that was another request
   */
  async find<T>(idempotency: IdempotencyRecord): Promise<{ result: T } | undefined> {
    const kept = await this.records.find(idempotency._id, idempotency.claimedAt);
    if (!kept) return undefined;
    if (kept.requestHash !== idempotency.requestHash)
      throw new DomainError('IDEMPOTENCY_KEY_REUSED');
    return { result: kept.result as T };
  }
}
