import type { Change } from '../src/storage/changes.js';
import type { WritableStore } from '../src/storage/writable-store.js';

/**
 * Runs a function between the next decision and its commit.
 *
 * @returns a function that cancels it
 */
export function beforeNextCommit(store: WritableStore, act: () => Promise<unknown>): () => void {
  const commit = store.commit.bind(store);
  const spy = jest.spyOn(store, 'commit').mockImplementationOnce(async (changes) => {
    await act();
    return commit(changes);
  });
  return () => spy.mockRestore();
}

/** Makes changes between each decision and its commit. */
export function beforeEachCommit(store: WritableStore, ...others: Change[]): void {
  const commit = store.commit.bind(store);
  jest.spyOn(store, 'commit').mockImplementation(async (changes) => {
    await commit(others);
    return commit(changes);
  });
}
