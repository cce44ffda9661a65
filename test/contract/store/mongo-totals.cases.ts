import { mongo } from 'mongoose';
import type { Client } from '../../../src/clients/client.js';
import { newAccountId } from '../../../src/shared/ids/account-id.js';
import { toClientRecord } from '../../../src/storage/mongo/schemas/client.schema.js';
import { aClient } from '../../builders/client.builder.js';
import { at } from '../../builders/time.js';
import { NO_QUOTAS } from '../../no-limits.js';
import { describeOnMongo } from '../../engines.js';
import { inRequest } from '../in-request.js';
import type { MongoUnderTest } from '../mongo.engine.js';
import { aProjectWithLicense } from '../port-arguments.js';
import { mongodb } from '../reused-mongo.js';
import { useStore } from '../use-store.js';

describeOnMongo('the totals of an account', () => {
  const { store, stored } = useStore(mongodb.open);
  afterEach(() => void Object.assign(store.quotas, NO_QUOTAS));

  /** Counts clients in the first shards of the totals. */
  const countInShards = async (owner: string, ...counts: number[]) => {
    const account = new mongo.ObjectId(owner);
    await store.collection('totals').bulkWrite(
      counts.map((clientsCount, shard) => {
        const filter = { _id: { account, shard } as never };
        const update = { $inc: { clientsCount, projectsCount: 0, licensesCount: 0 } };
        return { updateOne: { filter, update, upsert: true } };
      }),
    );
  };

  it('are the sums of all shards, and so are those that quotas limit', async () => {
    const owner = newAccountId();
    await stored.client({ owner });
    await countInShards(owner, 3, -1);
    await store
      .collection('clients')
      .insertMany(['a', 'b'].map((name) => toClientRecord(aClient({ owner, name }))));
    const counted = { clientsCount: 3, projectsCount: 0, licensesCount: 0 };
    expect(await stored.totalsOf(owner)).toStrictEqual(counted);
    store.quotas.clients = 3;
    await expect(store.clients.create(aClient({ owner }))).rejects.toMatchObject({
      code: 'CLIENT_QUOTA_REACHED',
    });
  });

  it('let creations below different clients commit in any order, also on several instances', async () => {
    const owner = newAccountId();
    const clients = ['a', 'b'].map((last) => aClient({ owner, _id: `${'0'.repeat(23)}${last}` }));
    for (const client of clients) await stored.client(client);
    const other = await store.join();
    const create = ({ projects }: MongoUnderTest, client: Client) =>
      projects.createWithFirstLicense(...aProjectWithLicense(client));
    const transaction = other.mongo.transaction.bind(other.mongo);
    let second: unknown;
    jest.spyOn(other.mongo, 'transaction').mockImplementation((key, work) =>
      transaction(key, async (tx) => {
        const result = await work(tx);
        second = await inRequest(2_000, () => create(store, clients[1]!));
        return result;
      }),
    );
    const first = await create(other, clients[0]!);
    expect([first, second]).toEqual([expect.any(Object), expect.any(Object)]);
    expect(await stored.totalsOf(owner)).toMatchObject({ projectsCount: 2, licensesCount: 2 });
    await other.leave();
  });

  it('are deleted with the account, every shard', async () => {
    const owner = newAccountId();
    await countInShards(owner, 2, -2);
    expect(await store.accountDeletion.deleteEmpty(owner, at(0))).toBe('deleted');
    const account = new mongo.ObjectId(owner);
    const left = { $or: [{ _id: account }, { '_id.account': account }] };
    expect(await store.collection('totals').countDocuments(left)).toBe(0);
  });
});
