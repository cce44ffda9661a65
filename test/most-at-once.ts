import { setImmediate } from 'node:timers/promises';
import type { WritableStore } from '../src/storage/writable-store.js';

/** Counts the commits of a store. @returns reads the largest number that was in progress at the same time */
export function mostAtOnce(store: WritableStore): () => number {
  let [inProgress, most] = [0, 0];
  const commit = store.commit.bind(store);
  jest.spyOn(store, 'commit').mockImplementation(async (changes) => {
    most = Math.max(most, (inProgress += 1));
    await setImmediate();
    return commit(changes).finally(() => (inProgress -= 1));
  });
  return () => most;
}
