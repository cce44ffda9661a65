import { LRUCache } from 'lru-cache';
import { maxEntries } from '../shared/bounded-cache.js';

const MAX_OF_WEBHOOK = 4;
const MAX_OF_ACCOUNT = 8;
const MAX = 64;
/** Of all slow webhooks together: the others keep as many. */
const MAX_OF_SLOW = 32;
/** Maximum of slow webhooks that are remembered. */
const MAX_SLOW = 10_000;

interface Receiver {
  readonly _id: string;
  readonly accountId: string;
}

/** The requests in progress: a bound for each webhook, each account and this instance, so that none waits for the receivers of others. */
export class Places {
  private readonly taken = new Map<string, number>();
  /** Webhooks whose last attempt timed out: one request at a time. */
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
