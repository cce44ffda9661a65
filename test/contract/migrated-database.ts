import { randomUUID } from 'node:crypto';
import { type Connection, createConnection } from 'mongoose';
import { MongoUnderTest } from './mongo.engine.js';

/** A database that an earlier version has filled, and three instances that were started on it at once. */
export class MigratedDatabase {
  private constructor(
    readonly store: MongoUnderTest,
    private readonly others: readonly MongoUnderTest[],
  ) {}

  static async of(fill: (earlier: Connection) => Promise<unknown>): Promise<MigratedDatabase> {
    const uri = new URL(String(process.env.TEST_MONGODB_URI));
    uri.pathname = `/migrated-${randomUUID()}`;
    const earlier = await createConnection(uri.href).asPromise();
    await fill(earlier);
    await earlier.close();
    const [store, ...others] = await Promise.all([1, 2, 3].map(() => MongoUnderTest.connect(uri)));
    return new MigratedDatabase(store!, others);
  }

  /** One more instance starts on it. */
  async startAgain(): Promise<void> {
    await (await this.store.join()).leave();
  }

  async close(): Promise<void> {
    await Promise.all(this.others.map((instance) => instance.leave()));
    await this.store.close();
  }
}
