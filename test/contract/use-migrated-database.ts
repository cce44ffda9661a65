import { randomUUID } from 'node:crypto';
import { type Connection, createConnection } from 'mongoose';
import { MongoUnderTest } from './mongo.engine.js';
import { standInFor } from './use-store.js';

/**
 * Fills a database as an earlier version did, and starts three instances on it at the same time, before the tests of the
 * calling block.
 *
 * @param done the migrations that the earlier version had already run
 */
export function useMigratedDatabase(
  done: readonly string[],
  fill: (earlier: Connection) => Promise<unknown>,
) {
  let instances: MongoUnderTest[] = [];
  beforeAll(async () => {
    const uri = new URL(String(process.env.TEST_MONGODB_URI));
    const name = `migrated-${randomUUID()}`;
    uri.pathname = `/${name}`;
    // Failures are injected into the commands of these clients alone.
    uri.searchParams.set('appName', name);
    const earlier = await createConnection(uri.href).asPromise();
    for (const _id of done) await earlier.collection('upgrades').insertOne({ _id: _id as never });
    await fill(earlier);
    await earlier.close();
    instances = await Promise.all([1, 2, 3].map(() => MongoUnderTest.connect(uri)));
  });
  afterAll(async () => {
    const [first, ...others] = instances;
    await Promise.all(others.map((instance) => instance.leave()));
    await first?.close();
  });

  const store = standInFor(() => instances[0]!);
  const startAgain = async () => (await store.join()).leave();
  return {
    store,
    /** Starts one more instance. */
    startAgain,
    /** Starts one more instance, as if no instance had completed this migration. */
    migrateAgain: async (migration: string) => {
      await store.collection('upgrades').deleteOne({ _id: migration as never });
      await startAgain();
    },
  };
}
