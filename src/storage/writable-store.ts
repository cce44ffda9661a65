import type { Change } from './changes.js';
import { Store } from './store.js';

/**
 * Whether the changes of a commit were made, with the number of records that its `removeAll` and `setAll` changed; if not, the change
 * whose condition did not hold, one of them where there are several, and nothing was changed.
 */
export type Committed =
  | { readonly ok: true; readonly affected: number }
  | { readonly ok: false; readonly failed: Change };

/** The store with its commits, for the storage itself and for the copy of a store. Features change it through Decisions. */
export abstract class WritableStore extends Store {
  /**
   * Makes all of these changes or none, in {@link CHANGE_ORDER}. A record is changed by one of them at most. Once it has
   * resolved, the changes are durable and every read of every instance sees them.
   */
  abstract commit(changes: readonly Change[]): Promise<Committed>;
}
