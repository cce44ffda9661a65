import fs from 'node:fs';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { inRequest } from '../../../../test/contract/in-request.js';
import { useFolder } from '../../../../test/use-folder.js';
import { SqliteMetrics } from '../sqlite-metrics.js';
import { MAX_WAITING, WriteQueue } from './write-queue.js';

describe('WriteQueue', () => {
  const folder = useFolder();
  let file: string;
  let database: DatabaseSyncInstance;
  let observer: DatabaseSyncInstance;
  let queue: WriteQueue;

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
    queue = new WriteQueue(database);
  });
  afterEach(() => {
    observer.close();
    if (database.isOpen) database.close();
  });

  const insert = (name: string, content = '') =>
    database.prepare('INSERT INTO records VALUES (?, ?)').run(name, content).changes;
  const write = (name: string, content?: string) => queue.write(() => insert(name, content));
  /** The records that another connection reads. */
  const durable = () =>
    (observer.prepare('SELECT name FROM records ORDER BY rowid').all() as { name: string }[]).map(
      ({ name }) => name,
    );
  const areAcknowledged = async (...writes: Promise<unknown>[]) =>
    (await Promise.allSettled(writes)).map(({ status }) => status === 'fulfilled');
  const works = async () => {
    expect(database.isTransaction).toBe(false);
    expect(await write('later')).toBe(1);
    expect(durable()).toContain('later');
  };

  it('commits waiting writes together, and resolves each with its own result', async () => {
    const before = commitsIn(file);
    const names = ['c', 'a', 'b'];
    const writes = names.map((name) => queue.write(() => insert(name) && name));
    expect(await Promise.all(writes)).toEqual(names);
    expect(commitsIn(file)).toBe(before + 1);
    expect(durable()).toEqual(names);
    await write('d');
    expect(commitsIn(file)).toBe(before + 2);
  });

  it('shows a batch to other connections once it is committed, before it is acknowledged', async () => {
    const seen: string[][] = [];
    const writes = ['a', 'b'].map((name) =>
      queue.write(() => {
        insert(name);
        seen.push(durable());
      }),
    );
    const acknowledged = writes.map((each) => each.then(() => seen.push(durable())));
    expect(durable()).toEqual([]);
    await Promise.all(acknowledged);
    expect(seen).toEqual([[], [], ['a', 'b'], ['a', 'b']]);
  });

  it('rolls back a write that fails, and no other write of its batch', async () => {
    const before = commitsIn(file);
    const broken = write('b', 'invalid');
    const thrown = queue.write(() => {
      insert('c');
      throw new Error('of its own');
    });
    const outcomes = await areAcknowledged(write('a'), broken, thrown, write('d'));
    expect(outcomes).toEqual([true, false, false, true]);
    await expect(broken).rejects.toThrow('CHECK constraint failed');
    await expect(thrown).rejects.toThrow('of its own');
    expect(durable()).toEqual(['a', 'd']);
    expect(commitsIn(file)).toBe(before + 1);
    await works();
  });

  describe('where a write takes long', () => {
    let now: number;
    beforeEach(() => {
      now = performance.now();
      jest.spyOn(performance, 'now').mockImplementation(() => now);
    });
    afterEach(() => jest.restoreAllMocks());
    const slow = (name: string) =>
      queue.write(() => {
        now += 11;
        return insert(name);
      });

    it('ends a batch after 10 ms, and runs the other writes in the next one, in their order', async () => {
      const before = commitsIn(file);
      const writes = [write('a'), slow('b'), write('c'), write('d')];
      const later = writes[1]!.then(() => write('e'));
      await writes[0];
      expect(durable()).toEqual(['a', 'b']);
      await Promise.all([...writes, later]);
      expect(durable()).toEqual(['a', 'b', 'c', 'd', 'e']);
      expect(commitsIn(file)).toBe(before + 2);
    });

    it('runs one write of a batch at least', async () => {
      await Promise.all([slow('a'), slow('b')]);
      expect(durable()).toEqual(['a', 'b']);
    });
  });

  it('calls back after the commit, in order, before anything else runs', async () => {
    const events: string[] = [];
    const note = (event: string) => () => void events.push(`${event} ${durable().join('')}`);
    const failing = queue.write(() => {
      throw new Error('of its own');
    }, note('failed'));
    const writes = ['a', 'b'].map((name) => queue.write(() => insert(name), note(name)));
    void writes[0]!.then(note('acknowledged'));
    await Promise.all(writes);
    await expect(failing).rejects.toThrow('of its own');
    expect(events).toEqual(['a ab', 'b ab', 'acknowledged ab']);
  });

  it('accepts writes from within a write, and from within an acknowledgement', async () => {
    const nested: Promise<unknown>[] = [];
    await queue.write(() => nested.push(write('from a write')));
    await write('a').then(() => write('from an acknowledgement'));
    await Promise.all(nested);
    expect(durable().sort()).toEqual(['a', 'from a write', 'from an acknowledgement']);
  });

  it('rejects every write of a batch whose commit fails', async () => {
    const orphan = queue.write(() => database.exec("INSERT INTO children VALUES ('nobody')"));
    expect(await areAcknowledged(write('a'), orphan, write('b'))).toEqual([false, false, false]);
    expect(durable()).toEqual([]);
    await works();
  });

  it('rejects the waiting writes when the store is closed', async () => {
    const waiting = [write('a'), write('b')];
    database.close();
    expect(await areAcknowledged(...waiting)).toEqual([false, false]);
    expect(durable()).toEqual([]);
  });

  describe('while another process holds the write lock', () => {
    beforeEach(() => void observer.exec('BEGIN IMMEDIATE'));

    it('waits without blocking the event loop', async () => {
      const writes = [write('a')];
      for (let tick = 0; tick < 50; tick++) await new Promise(setImmediate);
      writes.push(write('b'));
      observer.exec('ROLLBACK');
      expect(await Promise.all(writes)).toEqual([1, 1]);
      expect(durable()).toEqual(['a', 'b']);
    });

    it('rejects the waiting writes after a timeout, and works again later', async () => {
      queue = new WriteQueue(database, new SqliteMetrics(), 30);
      const writes = [write('a'), write('b')];
      for (const one of writes) {
        await expect(one).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE', retryAfter: 1 });
      }
      observer.exec('ROLLBACK');
      expect(durable()).toEqual([]);
      await works();
    });

    it('rejects the waiting writes when the store is closed', async () => {
      const waiting = write('a');
      await new Promise(setImmediate);
      database.close();
      expect(await areAcknowledged(waiting)).toEqual([false]);
    });
  });

  describe('a write of a request', () => {
    const within = (milliseconds: number, name: string) =>
      inRequest(milliseconds, () => write(name));

    it('is not begun after its deadline', async () => {
      const [late, inTime] = [within(0, 'late'), within(60_000, 'in time')];
      await expect(late).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
      expect(await inTime).toBe(1);
      expect(durable()).toEqual(['in time']);
    });

    it('is rejected at its deadline while another process holds the write lock', async () => {
      queue = new WriteQueue(database, new SqliteMetrics(), 60_000);
      observer.exec('BEGIN IMMEDIATE');
      const [late, inTime] = [within(30, 'late'), within(60_000, 'in time')];
      await expect(late).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
      observer.exec('ROLLBACK');
      expect(await inTime).toBe(1);
      expect(durable()).toEqual(['in time']);
    });
  });

  it('waits for the lock of another process anew once all that waited are rejected', async () => {
    queue = new WriteQueue(database, new SqliteMetrics(), 60_000);
    observer.exec('BEGIN IMMEDIATE');
    const late = inRequest(30, () => write('late'));
    await expect(late).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    const now = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => now() + 60_000);
    const later = write('later');
    await new Promise(setImmediate);
    observer.exec('ROLLBACK');
    expect(await later).toBe(1);
    jest.restoreAllMocks();
  });

  it('rejects writes beyond the length of the queue, and runs the rest', async () => {
    const writes = Array.from({ length: MAX_WAITING }, (_, index) => write(String(index)));
    const tooMany = write('too many');
    await expect(tooMany).rejects.toMatchObject({ code: 'OVERLOADED', retryAfter: 1 });
    await Promise.all(writes);
    expect(durable()).toHaveLength(MAX_WAITING);
    await works();
  });

  describe('on a full disk', () => {
    /** A full store has no room for this, but for small records. */
    const LARGE = 'x'.repeat(1_000_000);
    beforeEach(() => database.exec('PRAGMA max_page_count = 20'));

    it('rejects every write of the batch where SQLite has rolled it back', async () => {
      let isTransaction: boolean | undefined;
      const large = queue.write(() => {
        try {
          return insert('large', LARGE);
        } finally {
          isTransaction = database.isTransaction;
        }
      });
      expect(await areAcknowledged(write('a'), large, write('b'))).toEqual([false, false, false]);
      expect(isTransaction).toBe(false);
      expect(durable()).toEqual([]);
      await expect(large).rejects.toThrow('full');
    });

    it('does so even if the write that fails catches the error', async () => {
      const catching = queue.write(() => {
        try {
          return insert('large', LARGE);
        } catch {
          return 'caught';
        }
      });
      expect(await areAcknowledged(write('a'), catching, write('b'))).toEqual([
        false,
        false,
        false,
      ]);
      expect(durable()).toEqual([]);
    });

    it('rejects one write alone where SQLite has rolled back its statement alone', async () => {
      const many = queue.write(() =>
        database.exec(
          `INSERT INTO records SELECT 'many ' || value, '${LARGE.slice(0, 9000)}'
           FROM json_each('[${Array.from({ length: 50 }, (_, index) => index).join()}]')`,
        ),
      );
      expect(await areAcknowledged(write('a'), many, write('b'))).toEqual([true, false, true]);
      expect(durable()).toEqual(['a', 'b']);
    });

    it('keeps all acknowledged writes, and works again when there is room', async () => {
      await write('before');
      expect(await areAcknowledged(write('large', LARGE))).toEqual([false]);
      expect(durable()).toEqual(['before']);
      await works();
      database.exec('PRAGMA max_page_count = 100000');
      expect(await write('large', LARGE)).toBe(1);
      expect(durable()).toEqual(['before', 'later', 'large']);
    });
  });
});

/** The commits in the write-ahead log: frames that give the size of the store (SQLite's File Format, 4.1). */
function commitsIn(file: string): number {
  const log = fs.readFileSync(`${file}-wal`);
  const frame = 24 + log.readUInt32BE(8);
  let commits = 0;
  for (let at = 32; at < log.length; at += frame) if (log.readUInt32BE(at + 4) > 0) commits++;
  return commits;
}
