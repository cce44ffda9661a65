import { ReplicaSet } from '../mongod/replica-set.js';
import { MongoUnderTest } from './mongo-under-test.js';
import { empty, standInFor } from './use-store.js';

/** The mongod of this spec file. */
let mongod: ReplicaSet | undefined;
let opened: MongoUnderTest | undefined;

afterAll(async () => {
  await opened?.leave();
  await mongod?.remove();
});

/** Opens an empty store before the tests of the calling block, on a mongod that they may stop or lock. */
export function useOwnMongod() {
  beforeAll(async () => {
    mongod ??= await ReplicaSet.start();
    opened ??= await MongoUnderTest.open(undefined, mongod.uri());
    await empty(opened.store);
  });
  return {
    mongod: standInFor(() => mongod!.members[0]!),
    opened: standInFor(() => opened!),
    store: standInFor(() => opened!.store),
  };
}
