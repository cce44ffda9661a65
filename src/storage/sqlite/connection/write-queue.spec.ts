import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { inRequest } from '../../../../test/contract/in-request.js';
import { MAX_WAITING, WriteQueue } from './write-queue.js';

describe('WriteQueue', () => {
  let folder: string;
  let file: string;
  let database: DatabaseSyncInstance;
  let observer: DatabaseSyncInstance;
  let queue: WriteQueue;

  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'write-queue-'));
    file = path.join(folder, 'store');
    database = new DatabaseSync(file);
    database.exec(
      `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0;
       PRAGMA foreign_keys = ON;
       CREATE TABLE records (name TEXT PRIMARY KEY, size INTEGER CHECK (size < 10));
       CREATE TABLE children (parent TEXT REFERENCES records DEFERRABLE INITIALLY DEFERRED)`,
    );
    observer = new DatabaseSync(file);
    queue = new WriteQueue(database);
  });
  afterEach(() => {
    observer.close();
    if (database.isOpen) database.close();
    fs.rmSync(folder, { recursive: true });
  });

  const insert = (name: string, size = 1) =>
    database.prepare('INSERT INTO records VALUES (?, ?)').run(name, size).changes;
  const write = (name: string, size?: number) => queue.write(() => insert(name, size));
  /** What another connection can read. */
  const durable = () =>
    (observer.prepare('SELECT name FROM records ORDER BY rowid').all() as { name: string }[]).map(
      ({ name }) => name,
    );
  const outcomesOf = async (writes: Promise<unknown>[]) =>
    (await Promise.allSettled(writes)).map(({ status }) => status);
  const works = async () => {
    expect(database.isTransaction).toBe(false);
    expect(await write('later')).toBe(1);
    expect(durable()).toContain('later');
  };

  it('gives all writes that wait together one commit, and each its own result', async () => {
    const before = commitsIn(file);
    const names = ['c', 'a', 'b'];
    const writes = names.map((name) => queue.write(() => insert(name) && name));
    expect(await Promise.all(writes)).toEqual(names);
    expect(commitsIn(file)).toBe(before + 1);
    expect(durable()).toEqual(names);
    await write('d');
    expect(commitsIn(file)).toBe(before + 2);
  });

  it('lets no other connection read a write before its acknowledgement, and every one after', async () => {
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

  it('undoes a write that fails, and no other with it', async () => {
    const before = commitsIn(file);
    const broken = write('b', 99);
    const thrown = queue.write(() => {
      insert('c');
      throw new Error('of its own');
    });
    const outcomes = await outcomesOf([write('a'), broken, thrown, write('d')]);
    expect(outcomes).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    await expect(broken).rejects.toThrow('CHECK constraint failed');
    await expect(thrown).rejects.toThrow('of its own');
    expect(durable()).toEqual(['a', 'd']);
    expect(commitsIn(file)).toBe(before + 1);
    await works();
  });

  it('accepts writes from within a write, and from within an acknowledgement', async () => {
    const nested: Promise<unknown>[] = [];
    await queue.write(() => nested.push(write('from a write')));
    await write('a').then(() => write('from an acknowledgement'));
    await Promise.all(nested);
    expect(durable().sort()).toEqual(['a', 'from a write', 'from an acknowledgement']);
  });

  it('acknowledges nothing of a batch whose commit fails', async () => {
    const orphan = queue.write(() => database.exec("INSERT INTO children VALUES ('nobody')"));
    expect(await outcomesOf([write('a'), orphan, write('b')])).toEqual(Array(3).fill('rejected'));
    expect(durable()).toEqual([]);
    await works();
  });

  it('rejects the waiting writes when the store is closed', async () => {
    const waiting = [write('a'), write('b')];
    database.close();
    expect(await outcomesOf(waiting)).toEqual(['rejected', 'rejected']);
    expect(durable()).toEqual([]);
  });

  describe('while another process keeps the store for itself', () => {
    beforeEach(() => void observer.exec('BEGIN IMMEDIATE'));

    it('waits for it, and lets the event loop go on', async () => {
      const writes = [write('a')];
      let turns = 0;
      while (turns < 50) {
        await new Promise(setImmediate);
        turns++;
      }
      writes.push(write('b'));
      observer.exec('ROLLBACK');
      expect(await Promise.all(writes)).toEqual([1, 1]);
      expect(durable()).toEqual(['a', 'b']);
    });

    it('gives up after a while, acknowledges nothing, and works again later', async () => {
      queue = new WriteQueue(database, 30);
      const writes = [write('a'), write('b')];
      for (const one of writes) {
        await expect(one).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE', retryAfter: 1 });
      }
      observer.exec('ROLLBACK');
      expect(durable()).toEqual([]);
      await works();
    });

    it('rejects the waiting writes when the store is closed', async () => {
      const waiting = [write('a')];
      await new Promise(setImmediate);
      database.close();
      expect(await outcomesOf(waiting)).toEqual(['rejected']);
    });
  });

  describe('of a request', () => {
    const within = (milliseconds: number, name: string) =>
      inRequest(milliseconds, () => write(name));

    it('does not begin a write whose deadline has passed', async () => {
      const [late, inTime] = [within(0, 'late'), within(60_000, 'in time')];
      await expect(late).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
      expect(await inTime).toBe(1);
      expect(durable()).toEqual(['in time']);
    });

    it('rejects it at its deadline, also where another process keeps the store for itself', async () => {
      queue = new WriteQueue(database, 60_000);
      observer.exec('BEGIN IMMEDIATE');
      const [late, inTime] = [within(30, 'late'), within(60_000, 'in time')];
      await expect(late).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
      observer.exec('ROLLBACK');
      expect(await inTime).toBe(1);
      expect(durable()).toEqual(['in time']);
    });
  });

  it('rejects writes beyond the length of the queue, and runs the rest', async () => {
    const writes = Array.from({ length: MAX_WAITING }, (_, index) => write(String(index)));
    const tooMany = write('too many');
    await expect(tooMany).rejects.toMatchObject({ code: 'OVERLOADED', retryAfter: 1 });
    await Promise.all(writes);
    expect(durable()).toHaveLength(MAX_WAITING);
    await works();
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
