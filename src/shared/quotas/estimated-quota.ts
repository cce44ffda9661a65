import { LRUCache } from 'lru-cache';
import { maxEntries } from '../bounded-cache.js';
import { DomainError } from '../errors/domain-error.js';
import type { ErrorCode } from '../errors/error-codes.js';
import type { AccountId } from '../ids.js';

/** Maximum of accounts whose allowance is remembered. */
const MAX_ACCOUNTS = 10_000;

/**
 * Limits records of an account that no counter counts. Counting them takes longer the more there are, so after a count half of
 * what is left may be stored until the next one. Instances do not know of each other's, so together they may exceed the quota by
 * what each allows.
 */
export class EstimatedQuota {
  private readonly allowances = new LRUCache<AccountId, { left: number }>(maxEntries(MAX_ACCOUNTS));

  /** @param quota 0 for none */
  constructor(
    private readonly quota: number,
    private readonly code: ErrorCode,
  ) {}

  /**
   * @param count counts the records of the account, up to `atMost`
   * @throws DomainError with the code if one more record would exceed the quota
   */
  async requireRoom(account: AccountId, count: (atMost: number) => Promise<number>): Promise<void> {
    if (this.quota === 0) return;
    const allowance = this.allowances.get(account);
    if (allowance && allowance.left > 0) {
      allowance.left -= 1;
      return;
    }
    const stored = await count(this.quota);
    if (stored >= this.quota) throw new DomainError(this.code);
    this.allowances.set(account, { left: Math.floor((this.quota - stored - 1) / 2) });
  }
}
