import type { RateLimitWindows } from '../../src/rate-limits/rate-limit-windows.js';
import type { AnyCollection } from '../../src/storage/collection.js';
import type { Store } from '../../src/storage/store.js';

/** A store that a test has opened. */
export interface StoreUnderTest {
  readonly store: Store;
  readonly rateLimits: RateLimitWindows;
  /** One more instance of the service on the same store; the same one where a process has the store for itself. */
  join(): Promise<StoreUnderTest>;
  /** Closes it, and opens it as a program that declares these collections. */
  reopen(collections: readonly AnyCollection[]): Promise<StoreUnderTest>;
  /** Closes it, and removes its records where it is the only instance. */
  close(): Promise<void>;
}

/** A store that the contract holds for: an engine, or the model. */
export interface Engine {
  readonly name: string;
  /** The numbers of instances that may share a store. */
  readonly instances: readonly number[];
  /** Opens a new, empty store, by default of the collections of the tests. */
  readonly open: (collections?: readonly AnyCollection[]) => Promise<StoreUnderTest>;
}
