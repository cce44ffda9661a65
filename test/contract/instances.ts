import { MongoUnderTest } from './mongo.engine.js';

/** Instances of the service on one new database, open while the tests of the calling block run. */
export function instancesOnOneDatabase(count: number): MongoUnderTest[] {
  const instances: MongoUnderTest[] = [];
  beforeAll(async () => {
    const first = await MongoUnderTest.open();
    instances.push(first);
    while (instances.length < count) instances.push(await first.join());
  });
  afterAll(async () => {
    const [first, ...others] = instances;
    for (const other of others) await other.leave();
    await first?.close();
  });
  return instances;
}
