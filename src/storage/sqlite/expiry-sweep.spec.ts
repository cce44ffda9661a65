import { anIdempotencyRecord } from '../../../test/builders.js';
import { ModelStore } from '../../../test/contract/model-store.js';
import { COLLECTIONS } from '../../collections.js';
import { IDEMPOTENCY_RECORDS } from '../../shared/idempotency/idempotency-record.js';
import { insert } from '../changes.js';
import { NOT_STORED } from '../collection.js';
import { ExpirySweep } from './expiry-sweep.js';

describe('ExpirySweep', () => {
  const now = new Date('2026-01-31T10:00:00Z');
  let store: ModelStore;
  let sweep: ExpirySweep;

  beforeEach(() => {
    store = new ModelStore();
    sweep = new ExpirySweep(COLLECTIONS, store, { now: () => now });
  });

  /** Adds records that expire after this many milliseconds. */
  const add = (count: number, milliseconds: number) => {
    const expiresAt = new Date(now.getTime() + milliseconds);
    const records = Array.from({ length: count }, (_, index) => ({
      ...anIdempotencyRecord({ _id: `${milliseconds} ${index}`, expiresAt }),
      ...{ result: {}, version: NOT_STORED },
    }));
    return store.commit(records.map((record) => insert(IDEMPOTENCY_RECORDS, record)));
  };
  const ids = () => store.all(IDEMPOTENCY_RECORDS).map(({ _id }) => _id);

  it('removes the records that have expired, in steps, of each kind that expires', async () => {
    const kinds = COLLECTIONS.filter(({ expires }) => expires).map(({ name }) => name);
    expect(kinds).toEqual([
      ...['sessions', 'invitations', 'webhook_messages', 'webhook_deliveries', 'trials'],
      'idempotency_records',
    ]);
    await add(250, -1);
    for (const milliseconds of [0, 1]) await add(1, milliseconds);
    const isMoreLeft = [await sweep.step(), await sweep.step(), await sweep.step()];
    expect(isMoreLeft).toEqual([true, true, false]);
    expect(ids()).toEqual(['0 0', '1 0']);
  });
});
