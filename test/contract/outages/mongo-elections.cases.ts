import { insert } from '../../../src/storage/changes.js';
import { describeOnMongo } from '../../engines.js';
import { freePort } from '../../free-port.js';
import { ReplicaSet } from '../../mongod/replica-set.js';
import { expectUnavailable, inRequest } from '../in-request.js';
import { MongoUnderTest } from '../mongo-under-test.js';
import { ACCOUNT, anItem, ITEMS } from '../records.js';

describeOnMongo('the store on a MongoDB that elects another primary', () => {
  let replicaSet: ReplicaSet;
  let opened: MongoUnderTest;
  beforeAll(async () => {
    const ports = [await freePort('127.0.0.1'), await freePort('127.0.0.1')];
    replicaSet = await ReplicaSet.start({ ports });
    // One host, because URL takes no more. The driver finds the other.
    opened = await MongoUnderTest.open(undefined, replicaSet.uri().replace(/,[^/]*/, ''));
  });
  afterAll(async () => {
    await opened?.leave();
    await replicaSet?.remove();
  });

  it('returns nothing older than the acknowledged commits, whatever the new primary knows of them', async () => {
    const { store, rateLimits } = opened;
    const [item, limit] = [anItem(), { name: 'activation', requests: 5, seconds: 900 } as const];
    const [filter, order] = [{ account: ACCOUNT }, { by: 'createdAt', direction: 'asc' } as const];
    const reads: (() => Promise<number>)[] = [
      async () => Number((await store.find(ITEMS, { _id: item._id })) !== null),
      async () => (await store.list(ITEMS, filter, order, { limit: 5 })).length,
      () => store.count(ITEMS, filter),
      async () => (await store.countBy(ITEMS, filter, 'state')).size,
      async () => (await store.newestOf(ITEMS, filter, 'shelf', [item.shelf], 5)).length,
      async () => (await rateLimits.hit(limit, '192.0.2.1', 0)).hits,
    ];
    const primary = await replicaSet.primary();
    const next = replicaSet.members.find((member) => member !== primary)!;
    const turnSnapshots = (state: 'on' | 'off') =>
      next.command({
        configureFailPoint: 'disableSnapshotting',
        mode: state === 'off' ? 'alwaysOn' : 'off',
      });
    await turnSnapshots('off');
    await store.commit([insert(ITEMS, item)]);
    await rateLimits.hit(limit, '192.0.2.1');

    let isOver = false;
    const throughout = Promise.allSettled(
      reads.map(async (read) => {
        for (;;) {
          const count = await read();
          if (isOver || count === 0) return count;
        }
      }),
    );
    await next.command({ replSetStepUp: 1 });
    expect(await replicaSet.primary()).toBe(next);
    const after = reads.map((read) => inRequest(500, read));
    await Promise.allSettled(after);
    isOver = true;
    await turnSnapshots('on');
    const one = { status: 'fulfilled', value: 1 };
    expect(await throughout).toEqual(reads.map(() => one));
    await expectUnavailable(after);
  });
});
