import type { MongoUnderTest } from './mongo.engine.js';
import { mongodb } from './reused-mongo.js';
import type { Stored } from './stored.js';
import { standInFor, useStore } from './use-store.js';

interface Instances {
  readonly instances: readonly MongoUnderTest[];
  /** The first instance. */
  readonly store: MongoUnderTest;
  /** The second instance. */
  readonly other: MongoUnderTest;
  readonly stored: Stored;
  /** Starts this many calls at the same time, one instance after the other. */
  readonly callEach: <T>(
    times: number,
    call: (instance: MongoUnderTest, index: number) => Promise<T>,
  ) => Promise<T>[];
}

/** Opens instances of the service on one new database, as {@link useStore} opens one. */
export function useInstances(count: number): Instances {
  const joined: MongoUnderTest[] = [];
  afterAll(() => Promise.all(joined.map((instance) => instance.leave())));
  const { store, stored } = useStore(mongodb.open);
  beforeAll(async () => {
    while (joined.length < count - 1) joined.push(await store.join());
  });
  const others = Array.from({ length: count - 1 }, (_, index) => standInFor(() => joined[index]!));
  const instances = [store, ...others];
  return {
    ...{ instances, store, other: others[0]!, stored },
    callEach: (times, call) =>
      Array.from({ length: times }, (_, index) => call(instances[index % count]!, index)),
  };
}
