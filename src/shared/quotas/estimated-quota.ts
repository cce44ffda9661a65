import { LRUCache } from 'lru-cache';
import { DomainError } from '../errors/domain-error.js';
import type { ErrorCode } from '../errors/error-codes.js';
import type { AccountId } from '../ids.js';

/** Maximum number of accounts with a remembered allowance. */
const MAX_ACCOUNTS = 10_000;

/**
 * A quota without a stored counter. The more records there are, the slower counting gets. So after each
 * count, half of the remaining quota may be used before the next count. Instances do not share allowances,
 * so together they may exceed the quota by the sum of their allowances.
 */
export class EstimatedQuota {
  private readonly allowances = new LRUCache<AccountId, { left: number }>({ max: MAX_ACCOUNTS });

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
