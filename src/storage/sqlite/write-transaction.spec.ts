import fs from 'node:fs';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { inRequest } from '../../../test/contract/in-request.js';
import { useFolder } from '../../../test/use-folder.js';
import { Deadline, currentDeadline } from '../../shared/request-context.js';
import { CommitQueue } from '../commit-queue.js';
import { isBusy } from './open-database.js';
import { type Write, WriteTransaction } from './sqlite-store.js';

// More cases of failing writes are in test/contract/store/commits.cases.ts.
describe('WriteTransaction', () => {
  const folder = useFolder();
  let file: string;
  let database: DatabaseSyncInstance;
  let observer: DatabaseSyncInstance;
  let queue: CommitQueue<Write>;

  beforeEach(() => {
    file = folder('store');
    database = new DatabaseSync(file);
    database.exec(
      `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0;
       PRAGMA foreign_keys = ON;
       CREATE TABLE records (name TEXT PRIMARY KEY, content TEXT CHECK (content <> 'invalid'));
       CREATE TABLE children (parent TEXT REFERENCES records DEFERRABLE INITIALLY DEFERRED)`,
    );
    observer = new DatabaseSync(file);
    const transaction = new WriteTransaction(database);
    queue = new CommitQueue((batch) => transaction.apply(batch));
  });
  afterEach(() => {
    jest.restoreAllMocks();
    observer.close();
    if (database.isOpen) database.close();
  });

  const insert = (name: string, content = '') =>
    Number(database.prepare('INSERT INTO records VALUES (?, ?)').run(name, content).changes);
  const run = (work: () => number, committed: () => void = () => undefined) =>
    queue.add({ run: work, committed }, currentDeadline(), 1);
  const write = (name: string, content?: string) => run(() => insert(name, content));
  const MADE = { ok: true, affected: 1 };
  /** Batches end by time, so a busy machine must not split writes that a test expects in one batch. */
  const stopTime = () => jest.spyOn(performance, 'now').mockReturnValue(performance.now());
  /** The records visible to another connection. */
  const durable = () => {
    const rows = observer.prepare('SELECT name FROM records ORDER BY rowid').all();
    return (rows as { name: string }[]).map(({ name }) => name);
  };
  const areAcknowledged = async (...writes: Promise<unknown>[]) =>
    (await Promise.allSettled(writes)).map(({ status }) => status === 'fulfilled');
  const works = async () => {
    expect(database.isTransaction).toBe(false);
    expect(await write('later')).toEqual(MADE);
    expect(durable()).toContain('later');
  };

  it('commits waiting writes together except a failing one, with callbacks after the commit and before acknowledgment', async () => {
    stopTime();
    const before = commitsIn(file);
    const names = ['c', 'a', 'b'];
    const events: string[] = [];
    const note = (event: string) => () => void events.push(`${event} ${durable().join('')}`);
    const writes = names.map((name) => run(() => insert(name), note(name)));
    void writes[0]!.then(note('acknowledged'));
    const failing = () => {
      insert('failed');
      throw new Error('of its own');
    };
    await expect(run(failing, note('failed'))).rejects.toThrow('of its own');
    expect(await Promise.all(writes)).toEqual(names.map(() => MADE));
    expect(events).toEqual(['c cab', 'a cab', 'b cab', 'acknowledged cab']);
    expect(commitsIn(file)).toBe(before + 1);
    await write('d');
    expect(commitsIn(file)).toBe(before + 2);
  });

  it('ends a batch after 10 ms, and runs the remaining writes in the next batch, in order', async () => {
    let now = performance.now();
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const before = commitsIn(file);
    const first = write('a');
    const slow = run(() => {
      now += 11;
      return insert('b');
    });
    const writes = [first, slow, write('c'), write('d')];
    const later = slow.then(() => write('e'));
    await slow;
    expect(durable()).toEqual(['a', 'b']);
    await Promise.all([...writes, later]);
    expect(durable()).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(commitsIn(file)).toBe(before + 2);
  });

  it('rejects every write of a batch whose commit fails', async () => {
    stopTime();
    const orphan = run(() => {
      database.exec("INSERT INTO children VALUES ('nobody')");
      return 0;
    });
    expect(await areAcknowledged(write('a'), orphan, write('b'))).toEqual([false, false, false]);
    expect(durable()).toEqual([]);
    await works();
  });

  describe('while another process holds the write lock', () => {
    beforeEach(() => observer.exec('BEGIN IMMEDIATE'));

    it('waits without blocking the event loop', async () => {
      const writes = [write('a')];
      for (let tick = 0; tick < 50; tick++) await new Promise(setImmediate);
      writes.push(write('b'));
      observer.exec('ROLLBACK');
      expect(await Promise.all(writes)).toEqual([MADE, MADE]);
      expect(durable()).toEqual(['a', 'b']);
    });

    it('rejects each write at the deadline of its request, and works again later', async () => {
      const writes = ['a', 'b'].map((name) => inRequest(30, () => write(name)));
      for (const one of writes) {
        await expect(one).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE', retryAfter: 1 });
      }
      observer.exec('ROLLBACK');
      expect(durable()).toEqual([]);
      await works();
    });

    it('rejects a write outside requests at its own deadline', async () => {
      const now = performance.now.bind(performance);
      const late = write('late');
      const { milliseconds } = new Deadline();
      jest.spyOn(performance, 'now').mockImplementation(() => now() + milliseconds);
      await expect(late).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    });
  });

  it('rejects every write of a batch that SQLite rolls back because the disk is full, then recovers', async () => {
    stopTime();
    // There is still room for small records.
    database.exec('PRAGMA max_page_count = 20');
    await write('before');
    let isTransaction: boolean | undefined;
    const large = run(() => {
      try {
        return insert('large', 'x'.repeat(1_000_000));
      } finally {
        isTransaction = database.isTransaction;
      }
    });
    expect(await areAcknowledged(write('a'), large, write('b'))).toEqual([false, false, false]);
    expect(isTransaction).toBe(false);
    await expect(large).rejects.toMatchObject({
      ...{ code: 'STORE_UNAVAILABLE', cause: 'the disk is full' },
    });
    expect(durable()).toEqual(['before']);
    await works();
  });
});

it('isBusy is true only for SQLITE_BUSY and its extended codes', () => {
  const errors = [5, 517, 6, undefined].map((errcode) => Object.assign(new Error(), { errcode }));
  expect(errors.map(isBusy)).toEqual([true, true, false, false]);
});

/**
 * The commits in the write-ahead log, which are the frames that contain the size of the store (SQLite's
 * File Format, 4.1).
 */
function commitsIn(file: string): number {
  const log = fs.readFileSync(`${file}-wal`);
  const frame = 24 + log.readUInt32BE(8);
  let commits = 0;
  for (let at = 32; at < log.length; at += frame) if (log.readUInt32BE(at + 4) > 0) commits++;
  return commits;
}
