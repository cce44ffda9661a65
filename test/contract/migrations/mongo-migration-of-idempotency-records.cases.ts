import { mongo } from 'mongoose';
import { newAccountId } from '../../../src/shared/ids/account-id.js';
import { aClient } from '../../builders/client.builder.js';
import { anIdempotencyRecord } from '../../builders/idempotency-record.builder.js';
import { at } from '../../builders/time.js';
import { describeOnMongo } from '../../engines.js';
import { useMigratedDatabase } from '../use-migrated-database.js';

const EARLIER = 'idempotency_claims';

describeOnMongo(
  'idempotency records of a database where their collection has its earlier name',
  () => {
    const owner = newAccountId();
    const expiresAt = at(60);
    const requestHash = 'hash';
    const numbered = Array.from({ length: 3 }, (_, index) => ({
      _id: `record ${index}`,
      owner: new mongo.ObjectId(owner),
      sequence: index + 1,
      ...{ requestHash, expiresAt, result: { index, empty: {} } },
    }));
    const records = [
      ...numbered,
      { _id: 'without an owner', requestHash, expiresAt, result: { index: 3 } },
    ];

    const done = ['life-of-a-license', 'search-emails', 'families-of-sessions'];
    const { store, migrateAgain } = useMigratedDatabase(done, (earlier) =>
      earlier.collection(EARLIER).insertMany(records as never[]),
    );

    const stored = () => store.collection('idempotency_records').find().sort({ _id: 1 }).toArray();

    it('are unchanged, and none is left in the earlier collection', async () => {
      expect(await stored()).toStrictEqual(records);
      for (const { _id, result } of records) {
        expect(await store.idempotency.find(_id, at(1))).toStrictEqual({ requestHash, result });
      }
      expect(await store.collection(EARLIER).countDocuments()).toBe(0);
    });

    it('determine the number of the next record of their owner', async () => {
      const next = anIdempotencyRecord({ owner });
      await store.clients.create(aClient({ owner }), next);
      const found = await stored();
      expect(found.find(({ _id }) => String(_id) === next._id)?.sequence).toBe(4);
    });

    it('are migrated completely after an interruption, without replacing newer ones', async () => {
      const [first, second] = numbered;
      const earlier = store.collection(EARLIER);
      await earlier.insertMany([{ ...first!, result: 'earlier' }, second!] as never[]);
      await store.collection('idempotency_records').deleteOne({ _id: second!._id as never });
      const before = await stored();
      await migrateAgain('idempotency-records');
      expect(await stored()).toStrictEqual(
        [...before, second].toSorted((a, b) => (String(a!._id) < String(b!._id) ? -1 : 1)),
      );
      expect(await earlier.countDocuments()).toBe(0);
    });
  },
);
