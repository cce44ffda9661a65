import { DomainError } from '../../shared/errors/domain-error.js';

/** Bounds how many requests of each key (an address, an account) are in progress. */
export class ConcurrencyLimiter {
  private readonly inProgress = new Map<string, number>();

  constructor(
    private readonly max: number,
    private readonly kind: 'address' | 'account',
  ) {}

  /**
   * Takes a permit.
   *
   * @returns a function that gives it back, to be called once
   * @throws DomainError TOO_MANY_CONCURRENT_REQUESTS
   */
  acquire(key: string): () => void {
    const count = this.inProgress.get(key) ?? 0;
    if (count >= this.max) {
      throw new DomainError('TOO_MANY_CONCURRENT_REQUESTS', {}, { rejectedBy: this.kind });
    }
    this.inProgress.set(key, count + 1);
    return () => this.release(key);
  }

  /** How many keys have requests in progress. */
  get size(): number {
    return this.inProgress.size;
  }

  private release(key: string): void {
    const count = (this.inProgress.get(key) ?? 1) - 1;
    if (count > 0) this.inProgress.set(key, count);
    else this.inProgress.delete(key);
  }
}
