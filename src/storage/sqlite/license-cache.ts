import { LRUCache } from 'lru-cache';
import type { License } from '../../licenses/license.js';
import { maxEntries } from '../../shared/bounded-cache.js';

/** How many licenses are kept in memory for validation; about 1 KB each. */
const CACHED_LICENSES = 20_000;

/**
 * The licenses that validation has asked for, by the keyed hash of their keys. This process owns the
 * store, so one of them is current until a write of ours changes it: that write forgets it.
 */
export class LicenseCache extends LRUCache<string, License> {
  constructor() {
    super(maxEntries(CACHED_LICENSES));
  }
}
