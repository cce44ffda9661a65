import type { Change } from '../src/storage/changes.js';
import type { WritableStore } from '../src/storage/writable-store.js';

/**
 * Does something between the decision of the next commit and the commit.
 *
 * @returns a function by which it is done no more
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
