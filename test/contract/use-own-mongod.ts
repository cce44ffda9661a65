import { OwnMongod } from '../mongod/own-mongod.js';
import { MongoUnderTest } from './mongo.engine.js';
import { empty, standInFor } from './use-store.js';

/** The mongod of this spec file. */
let mongod: OwnMongod | undefined;
let opened: MongoUnderTest | undefined;

afterAll(async () => {
  await opened?.leave();
  await mongod?.stop();
});

/** Opens an empty store before the tests of the calling block, on a mongod that they may stop or lock. */
export function useOwnMongod() {
  beforeAll(async () => {
    mongod ??= await OwnMongod.start();
    opened ??= await MongoUnderTest.open({}, mongod.uri);
    await empty(opened.store);
  });
  return {
    mongod: standInFor(() => mongod!),
    opened: standInFor(() => opened!),
    store: standInFor(() => opened!.store),
  };
}
