import type { Store } from '../../src/storage/store.js';
import { inRequest } from './in-request.js';
import type { Engine, StoreUnderTest } from './engines.js';
import { standInFor, useStore } from './use-store.js';

/** Of each call, in milliseconds: a race is no test of deadlines, also on a slow machine. */
const DEADLINE = 60_000;

/** As {@link useStore}, with more instances on the same store. */
export function useInstances(engine: Engine, count: number) {
  const { opened } = useStore(engine);
  const joined: StoreUnderTest[] = [];
  beforeAll(async () => {
    while (joined.length < count - 1) joined.push(await opened.join());
  });
  afterAll(() => Promise.all(joined.map((instance) => instance.close())));
  const others = Array.from({ length: count - 1 }, (_, index) => standInFor(() => joined[index]!));
  const instances = [opened, ...others];
  const stores = instances.map((instance) => standInFor(() => instance.store));
  /** Starts this many calls at the same time, one instance after the other. */
  const atOnce = <T>(times: number, call: (store: Store, index: number) => Promise<T>) =>
    Promise.all(
      Array.from({ length: times }, (_, index) =>
        inRequest(DEADLINE, () => call(stores[index % count]!, index)),
      ),
    );
  return { store: stores[0]!, stores, instances, atOnce };
}

/** Each engine with each number of instances that may share its store. */
export const settingsOf = (engines: readonly Engine[]) =>
  engines.flatMap((engine) =>
    engine.instances.map((count) => ({ name: `${count} × ${engine.name}`, engine, count })),
  );
