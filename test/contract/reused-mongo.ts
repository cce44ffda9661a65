import { NO_QUOTAS } from '../no-limits.js';
import { MongoUnderTest } from './mongo.engine.js';
import type { Engine } from './store-under-test.js';

/** Stores of this spec file that no test uses. To empty one takes 7 ms, to open a new one 270. */
const unused: ReusedMongo[] = [];

/** A store that is emptied instead of closed, and opened again by a later test. */
class ReusedMongo extends MongoUnderTest {
  override async close(): Promise<void> {
    await this.empty();
    Object.assign(this.quotas, NO_QUOTAS);
    unused.push(this);
  }

  async end(): Promise<void> {
    await super.close();
  }

  private async empty(): Promise<void> {
    const collections = await this.connection.listCollections();
    const names = collections.map(({ name }) => name).filter((name) => name !== 'upgrades');
    await Promise.all(names.map((name) => this.collection(name).deleteMany({})));
  }
}

afterAll(() => Promise.all(unused.map((store) => store.end())));

export const mongodb = {
  name: 'MongoDB',
  open: async (): Promise<MongoUnderTest> => unused.pop() ?? ReusedMongo.open(),
} satisfies Engine;
