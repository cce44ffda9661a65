import { OwnMongod } from '../mongod/own-mongod.js';
import type { MongoUnderTest } from './mongo.engine.js';
import { standInFor, useStore } from './use-store.js';

/** As {@link useStore}, on a mongod of its own, which the tests may stop, kill or lock. */
export function useOwnMongod(open: (serverUri: string) => Promise<MongoUnderTest>) {
  let mongod: OwnMongod | undefined;
  const opened = useStore(async () => {
    mongod = await OwnMongod.start();
    return open(mongod.uri);
  });
  afterAll(() => mongod?.stop());
  return { ...opened, mongod: standInFor(() => mongod!) };
}
