import type { Client } from '../../../src/clients/client.js';
import { newAccountId } from '../../../src/shared/ids/account-id.js';
import { searchForm } from '../../../src/shared/search/search-form.js';
import {
  type ClientRecord,
  toClientRecord,
} from '../../../src/storage/mongo/schemas/client.schema.js';
import { aClient } from '../../builders/client.builder.js';
import { at } from '../../builders/time.js';
import { describeOnMongo } from '../../engines.js';
import { firstPage, idsOf } from '../pages.js';
import { useMigratedDatabase } from '../use-migrated-database.js';

describeOnMongo('a database whose e-mail addresses have no search form', () => {
  const owner = newAccountId();
  const emails = ['Office', 'νίκος', 'ｗｉｄｅ', 'cafe\u0301'].map((one) => `${one}@acme.test`);
  const clients = emails.map((email) => aClient({ owner, email }));

  const done = ['life-of-a-license'];
  const { store, startAgain, migrateAgain } = useMigratedDatabase(done, async (earlier) => {
    await earlier.collection('clients').insertMany(clients.map(toClientRecord));
    await earlier.collection('clients').updateMany({}, { $unset: { searchEmail: 1 } });
    await earlier.collection('clients').createIndex({ owner: 1, email: 1 });
  });

  const found = async (text: string) =>
    idsOf((await store.clients.listOwned(owner, searchForm(text), firstPage())).data);

  it.each(clients.map(({ email, _id }) => [email, _id] as const))(
    'finds the client of %s by its address',
    async (email, _id) => {
      expect(await found(email)).toStrictEqual([_id]);
      const [local] = email.split('@');
      expect(await found(local!)).toStrictEqual([_id]);
    },
  );

  it('keeps only the unique index of the addresses', async () => {
    const indexes = await store.collection('clients').indexes();
    expect(indexes.map(({ key }) => key).filter((key) => 'email' in key)).toEqual([{ email: 1 }]);
  });

  it('is migrated once: later changes stay', async () => {
    const { insertedId } = await store.collection('clients').insertOne({ email: 'half a record' });
    await startAgain();
    const record = await store.collection('clients').findOneAndDelete({ _id: insertedId });
    expect(Object.keys(record ?? {})).toStrictEqual(['_id', 'email']);
  });

  const storeWithoutForm = async (client: Client) => {
    const record: Partial<ClientRecord> = toClientRecord(client);
    delete record.searchEmail;
    await store.collection('clients').insertOne(record);
  };

  it('finds a client that an instance of the earlier version has stored meanwhile', async () => {
    const client = aClient({ owner, email: 'meanwhile@acme.test' });
    await storeWithoutForm(client);
    expect(await found('meanwhile')).toStrictEqual([client._id]);
    expect(await found('meanwhile@acme.test')).toStrictEqual([client._id]);
  });

  it('finds each client once that the earlier version has stored or changed, after the next migration', async () => {
    const client = aClient({ owner, email: 'ｎａｍｅ@acme.test' });
    await storeWithoutForm(client);
    const { email } = clients[2]!;
    await store.collection('clients').updateOne({ email }, { $set: { email: 'new@acme.test' } });
    await migrateAgain('correct-search-forms');
    expect(await found('name')).toStrictEqual([client._id]);
    expect(await found('new@')).toStrictEqual([clients[2]!._id]);
    expect(await found('wide')).toStrictEqual([]);
  });

  it('is migrated completely after an interruption, and keeps later changes', async () => {
    const [first, second] = clients;
    await store.clients.update(second!._id, owner, { email: 'changed@acme.test' }, at(1));
    await store
      .collection('clients')
      .updateOne({ email: first!.email }, { $unset: { searchEmail: 1 } });
    await migrateAgain('search-emails');
    expect(await found('office')).toStrictEqual([first!._id]);
    expect(await found('changed')).toStrictEqual([second!._id]);
  });
});
