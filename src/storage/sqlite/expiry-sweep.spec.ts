import { anIdempotencyRecord } from '../../../test/builders.js';
import { ModelStore } from '../../../test/contract/model-store.js';
import { COLLECTIONS } from '../../collections.js';
import { IDEMPOTENCY_RECORDS } from '../../shared/idempotency/idempotency-record.js';
import { insert } from '../changes.js';
import { NOT_STORED } from '../collection.js';
import { ExpirySweep } from './expiry-sweep.js';

it('ExpirySweep removes expired records in steps, for each kind with an expiry, unless the clock is doubtful', async () => {
  const kinds = COLLECTIONS.filter(({ expires }) => expires).map(({ name }) => name);
  expect(kinds).toEqual([
    ...[
      'sessions',
      'challenges',
      'spent_challenges',
      'invitations',
      'links',
      'link_requests',
      'mails',
      'erasures',
      'portal_sessions',
    ],
    ...['webhook_messages', 'webhook_deliveries', 'trials'],
    'idempotency_records',
  ]);
  const now = new Date('2026-01-31T10:00:00Z');
  const store = new ModelStore();
  let mayDelete = false;
  const check = { mayDelete: async () => mayDelete };
  const sweep = new ExpirySweep(COLLECTIONS, store, { now: () => now }, check);
  const lives = [...Array<number>(250).fill(-1), 0, 1];
  const records = lives.map((milliseconds, index) => ({
    ...anIdempotencyRecord({ _id: `${index}`, expiresAt: new Date(now.getTime() + milliseconds) }),
    ...{ result: {}, version: NOT_STORED },
  }));
  await store.commit(records.map((record) => insert(IDEMPOTENCY_RECORDS, record)));
  expect(await sweep.step()).toBe(false);
  expect(store.all(IDEMPOTENCY_RECORDS)).toHaveLength(252);
  mayDelete = true;
  const isMoreLeft = [await sweep.step(), await sweep.step(), await sweep.step()];
  expect(isMoreLeft).toEqual([true, true, false]);
  expect(store.all(IDEMPOTENCY_RECORDS).map(({ _id }) => _id)).toEqual(['250', '251']);
});
