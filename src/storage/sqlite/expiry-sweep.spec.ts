import { Logger } from '@nestjs/common';
import { anIdempotencyRecord } from '../../../test/builders/idempotency-record.builder.js';
import { ModelStore } from '../../../test/contract/model-store.js';
import { COLLECTIONS } from '../../../test/contract/records.js';
import { IDEMPOTENCY_RECORDS } from '../../shared/idempotency/idempotency-record.js';
import { insert } from '../changes.js';
import { NOT_STORED } from '../collection.js';
import { ExpirySweep } from './expiry-sweep.js';

describe('ExpirySweep', () => {
  const now = new Date('2026-01-31T10:00:00Z');
  const error = jest.spyOn(Logger.prototype, 'error').mockImplementation();
  let store: ModelStore;
  let sweep: ExpirySweep;

  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'performance'] });
    error.mockReset();
    store = new ModelStore();
    sweep = new ExpirySweep(COLLECTIONS, store, { now: () => now });
    sweep.onApplicationBootstrap();
  });
  afterEach(async () => {
    await sweep.beforeApplicationShutdown();
    jest.useRealTimers();
  });
  afterAll(() => error.mockRestore());

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
  const minute = async () => {
    jest.advanceTimersByTime(60_000);
    for (let tick = 0; tick < 30; tick++) await new Promise(setImmediate);
  };

  it('removes the records that have expired every minute, in steps, until the shutdown begins', async () => {
    for (const milliseconds of [0, 1]) await add(1, milliseconds);
    await minute();
    const commit = jest.spyOn(store, 'commit');
    await add(250, -1);
    await minute();
    expect(ids()).toEqual(['0 0', '1 0']);
    expect(commit).toHaveBeenCalledTimes(1 + 3);
    await add(1, -1);
    await sweep.beforeApplicationShutdown();
    await minute();
    expect(ids()).toEqual(['0 0', '1 0', '-1 0']);
    expect(error).not.toHaveBeenCalled();
  });

  it('logs the first of failures in a row, and goes on later', async () => {
    await add(1, -1);
    const commit = jest.spyOn(store, 'commit').mockRejectedValue(new Error('busy'));
    await minute();
    await minute();
    expect(error).toHaveBeenCalledTimes(1);
    commit.mockRestore();
    await minute();
    expect(ids()).toEqual([]);
  });
});
