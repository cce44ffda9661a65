import type { Deadline } from '../../src/shared/request-context.js';
import { UNHURRIED } from '../engines.js';
import { OwnMongod } from '../mongod/own-mongod.js';
import { MongoUnderTest } from './mongo.engine.js';
import { standInFor } from './use-store.js';

/** Opens a store before the tests of the calling block, on a mongod of its own, which they may stop, kill or lock. */
export function useOwnMongod(deadline: Deadline = UNHURRIED) {
  let mongod: OwnMongod | undefined;
  let opened: MongoUnderTest | undefined;
  beforeAll(async () => {
    mongod = await OwnMongod.start();
    const uri = new URL(mongod.uri);
    uri.searchParams.set('monitorCommands', 'true');
    opened = await MongoUnderTest.open({ deadline }, uri.href);
  });
  afterAll(async () => {
    await opened?.leave();
    await mongod?.stop();
  });
  return {
    mongod: standInFor(() => mongod!),
    opened: standInFor(() => opened!),
    store: standInFor(() => opened!.store),
  };
}
