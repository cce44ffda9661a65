import { anIdempotencyRecord } from '../../test/builders/idempotency-record.builder.js';
import { at } from '../../test/builders/time.js';
import { ModelStore } from '../../test/contract/model-store.js';
import type { Config } from '../shared/config/config.js';
import {
  IDEMPOTENCY_RECORDS,
  type IdempotencyRecord,
} from '../shared/idempotency/idempotency-record.js';
import { insert } from './changes.js';
import { NOT_STORED } from './collection.js';
import { IdempotencyQuota } from './idempotency-quota.js';

const REACHED = { code: 'IDEMPOTENCY_QUOTA_REACHED' };

describe('IdempotencyQuota', () => {
  let store: ModelStore;
  let count: jest.SpyInstance;
  beforeEach(() => {
    store = new ModelStore();
    count = jest.spyOn(store, 'count');
  });

  const { owner } = anIdempotencyRecord();
  const aRecord = (fields: Partial<IdempotencyRecord> = {}) =>
    anIdempotencyRecord({ owner, ...fields });
  const quotaOf = (idempotencyRecords: number) =>
    new IdempotencyQuota(store, { quotas: { idempotencyRecords } } as Config);
  const add = async (quota: IdempotencyQuota, record = aRecord()) => {
    await quota.require(record);
    const stored = { ...record, result: {}, version: NOT_STORED };
    await store.commit([insert(IDEMPOTENCY_RECORDS, stored)]);
  };

  it.each([
    [1, 2],
    [2, 3],
    [100, 9],
  ])(
    'allows %d records of an account and no more, and counts at most %d times',
    async (allowed, counts) => {
      const quota = quotaOf(allowed);
      for (let added = 0; added < allowed; added += 1) await add(quota);
      await expect(add(quota)).rejects.toMatchObject(REACHED);
      expect(count.mock.calls.length).toBeLessThanOrEqual(counts);
      await add(quota, anIdempotencyRecord());
    },
  );

  it('counts only those that have not expired, and those of other instances', async () => {
    const [one, other] = [quotaOf(2), quotaOf(2)];
    await add(one, aRecord({ createdAt: at(0), expiresAt: at(10) }));
    await add(other, aRecord({ createdAt: at(0), expiresAt: at(20) }));
    await expect(add(one, aRecord({ createdAt: at(9) }))).rejects.toMatchObject(REACHED);
    await add(one, aRecord({ createdAt: at(10), expiresAt: at(30) }));
    await expect(add(one, aRecord({ createdAt: at(19) }))).rejects.toMatchObject(REACHED);
  });
});
