import { setTimeout } from 'node:timers/promises';
import { anIdempotencyRecord } from '../../builders/idempotency-record.builder.js';
import { describeOnMongo } from '../../engines.js';
import { IDEMPOTENCY_RECORDS } from '../../../src/shared/idempotency/idempotency-record.js';
import { insert } from '../../../src/storage/changes.js';
import { NOT_STORED } from '../../../src/storage/collection.js';
import { useOwnMongod } from '../use-own-mongod.js';

const HOUR_MS = 3_600_000;

describeOnMongo('a record with an expiry on MongoDB', () => {
  const { opened, store } = useOwnMongod();

  it('is deleted by the server a day after its expiry, and not before', async () => {
    const admin = opened.connection.getClient().db('admin');
    const records = [25, 23, 0, -1].map((hours) => {
      const expiresAt = new Date(Date.now() - hours * HOUR_MS);
      const record = anIdempotencyRecord({ _id: `${hours} hours ago`, expiresAt });
      return insert(IDEMPOTENCY_RECORDS, { ...record, result: {}, version: NOT_STORED });
    });
    await store.commit(records);
    await admin.command({ setParameter: 1, ttlMonitorEnabled: true });
    while (await store.find(IDEMPOTENCY_RECORDS, { _id: '25 hours ago' })) await setTimeout(100);
    expect(await store.count(IDEMPOTENCY_RECORDS, {})).toBe(3);
  });
});
