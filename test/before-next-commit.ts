import type { Store } from '../src/storage/store.js';

/** Does something between the decision of the next commit and the commit. */
export function beforeNextCommit(store: Store, act: () => Promise<unknown>): void {
  const commit = store.commit.bind(store);
  jest.spyOn(store, 'commit').mockImplementationOnce(async (changes) => {
    await act();
    return commit(changes);
  });
}
