import type { Change } from './changes.js';
import { Store } from './store.js';

/**
 * Whether a commit was applied, with the number of records changed by its `removeAll` and `setAll`; if not,
 * a change whose condition failed.
 */
export type Committed =
  | { readonly ok: true; readonly affected: number }
  | { readonly ok: false; readonly failed: Change };

/** The store with commits, for the storage itself and for copying a store. Features use Decisions. */
export abstract class WritableStore extends Store {
  /**
   * Applies all of these changes or none, in {@link CHANGE_ORDER}. At most one of them may change a given record. Once it
   * resolves, the changes are durable and visible to every read of every instance.
   */
  abstract commit(changes: readonly Change[]): Promise<Committed>;
}
