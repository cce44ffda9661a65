import { Logger } from '@nestjs/common';
import { useFolder } from '../../../test/use-folder.js';
import { insert } from '../changes.js';
import { collection, type Stored, text, time } from '../collection.js';
import { SqliteStore } from './connection/sqlite-store.js';
import { ExpirySweep } from './expiry-sweep.js';

interface Ticket extends Stored {
  readonly expiresAt: Date;
}

const fields = { _id: text(), expiresAt: time() };
const TICKETS = collection<Ticket>('tickets', {
  fields,
  indexes: [['expiresAt']],
  expires: 'expiresAt',
});
const KEPT = collection<Ticket>('kept', { fields, indexes: [['expiresAt']] });

describe('ExpirySweep', () => {
  const folder = useFolder();
  const now = new Date('2026-01-31T10:00:00Z');
  const error = jest.spyOn(Logger.prototype, 'error').mockImplementation();
  let store: SqliteStore;
  let sweep: ExpirySweep;

  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'performance'] });
    error.mockReset();
    store = SqliteStore.open(folder(), [TICKETS, KEPT]);
    sweep = new ExpirySweep([KEPT, TICKETS], store, { now: () => now });
    sweep.onApplicationBootstrap();
  });
  afterEach(async () => {
    await sweep.beforeApplicationShutdown();
    jest.useRealTimers();
    await store.close();
  });
  afterAll(() => error.mockRestore());

  const add = (count: number, milliseconds: number, to = TICKETS) => {
    const expiresAt = new Date(now.getTime() + milliseconds);
    const tickets = Array.from({ length: count }, (_, index) => ({
      ...{ _id: `${milliseconds} ${index}`, version: 0, expiresAt },
    }));
    return store.commit(tickets.map((ticket) => insert(to, ticket)));
  };
  const idsIn = ({ name } = TICKETS) => {
    const rows = store.database.prepare(`SELECT _id FROM ${name}`).all() as { _id: string }[];
    return rows.map(({ _id }) => _id);
  };
  const minute = async () => {
    jest.advanceTimersByTime(60_000);
    for (let tick = 0; tick < 30; tick++) await new Promise(setImmediate);
  };

  it('removes the records that have expired, of collections with an expiry', async () => {
    await add(2, -1);
    await add(1, 0);
    await add(1, 1);
    await add(1, -1, KEPT);
    await minute();
    expect(idsIn()).toEqual(['0 0', '1 0']);
    expect(idsIn(KEPT)).toEqual(['-1 0']);
  });

  it('removes many in steps', async () => {
    const commit = jest.spyOn(store, 'commit');
    await add(250, -1);
    await minute();
    expect(idsIn()).toEqual([]);
    expect(commit).toHaveBeenCalledTimes(1 + 3);
  });

  it('sweeps every minute, and not after the shutdown has begun', async () => {
    await minute();
    await add(1, -1);
    await minute();
    expect(idsIn()).toEqual([]);
    await add(1, -1);
    await sweep.beforeApplicationShutdown();
    await minute();
    expect(idsIn()).toEqual(['-1 0']);
  });

  it('logs the first of failures in a row, and goes on later', async () => {
    await add(1, -1);
    const commit = jest.spyOn(store, 'commit').mockRejectedValue(new Error('busy'));
    await minute();
    await minute();
    expect(error).toHaveBeenCalledTimes(1);
    commit.mockRestore();
    await minute();
    expect(idsIn()).toEqual([]);
    jest.spyOn(store, 'commit').mockRejectedValueOnce(new Error('busy'));
    await minute();
    expect(error).toHaveBeenCalledTimes(2);
  });
});
