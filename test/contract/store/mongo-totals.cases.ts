import { mongo } from 'mongoose';
import { newAccountId } from '../../../src/shared/ids/account-id.js';
import { toClientRecord } from '../../../src/storage/mongo/schemas/client.schema.js';
import { aClient } from '../../builders/client.builder.js';
import { at } from '../../builders/time.js';
import { NO_QUOTAS } from '../../no-limits.js';
import { describeOnMongo } from '../engines.js';
import { MongoUnderTest } from '../mongo.engine.js';
import { useStore } from '../use-store.js';

describeOnMongo('the totals of an account', () => {
  const { store, stored } = useStore(() => MongoUnderTest.open());
  afterEach(() => void Object.assign(store.quotas, NO_QUOTAS));

  /** Counts clients in the first shards of the totals. */
  const countInShards = async (owner: string, ...counts: number[]) => {
    const account = new mongo.ObjectId(owner);
    const shards = counts.map((clientsCount, shard) => ({
      ...{ _id: { account, shard }, clientsCount, projectsCount: 0, licensesCount: 0 },
    }));
    await store.collection('totals').insertMany(shards as mongo.Document[]);
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

  it('are deleted with the account, every shard', async () => {
    const owner = newAccountId();
    await countInShards(owner, 2, -2);
    expect(await store.accountDeletion.deleteEmpty(owner, at(0))).toBe('deleted');
    const account = new mongo.ObjectId(owner);
    const left = { $or: [{ _id: account }, { '_id.account': account }] };
    expect(await store.collection('totals').countDocuments(left)).toBe(0);
  });
});
