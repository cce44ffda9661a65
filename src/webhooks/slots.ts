import { LRUCache } from 'lru-cache';
import { maxEntries } from '../shared/bounded-cache.js';

const MAX_OF_WEBHOOK = 4;
const MAX_OF_ACCOUNT = 8;
const MAX = 64;
/** For all slow webhooks together. As many remain for the others. */
const MAX_OF_SLOW = 32;
/** Maximum number of slow webhooks to remember. */
const MAX_SLOW = 10_000;

interface Receiver {
  readonly _id: string;
  readonly accountId: string;
}

/**
 * Slots for requests in progress, with a limit per webhook, per account and for this instance, so that no delivery waits for
 * another account's receivers.
 */
export class Slots {
  private readonly taken = new Map<string, number>();
  /** Webhooks whose last attempt timed out. Each has one slot. */
  private readonly slow = new LRUCache<string, true>(maxEntries(MAX_SLOW));
  private all = 0;

  get isFull(): boolean {
    return this.all >= MAX;
  }

  freeFor({ _id, accountId }: Receiver): number {
    const isSlow = this.slow.has(_id);
    const ofWebhook = (isSlow ? 1 : MAX_OF_WEBHOOK) - (this.taken.get(_id) ?? 0);
    const ofAccount = MAX_OF_ACCOUNT - (this.taken.get(accountId) ?? 0);
    const ofSlow = isSlow ? MAX_OF_SLOW - this.takenBySlow : MAX;
    return Math.max(0, Math.min(ofWebhook, ofAccount, ofSlow, MAX - this.all));
  }

  take(receiver: Receiver): void {
    this.add(receiver, 1);
  }

  free(receiver: Receiver): void {
    this.add(receiver, -1);
  }

  setSlow({ _id }: Receiver, isSlow: boolean): void {
    if (isSlow) this.slow.set(_id, true);
    else this.slow.delete(_id);
  }

  private get takenBySlow(): number {
    const taken = [...this.taken].filter(([key]) => this.slow.has(key));
    return taken.reduce((sum, [, count]) => sum + count, 0);
  }

  private add({ _id, accountId }: Receiver, by: 1 | -1): void {
    this.all += by;
    for (const key of [_id, accountId]) {
      const count = (this.taken.get(key) ?? 0) + by;
      if (count > 0) this.taken.set(key, count);
      else this.taken.delete(key);
    }
  }
}
