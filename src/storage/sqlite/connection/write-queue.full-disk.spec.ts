import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { WriteQueue } from './write-queue.js';

/** A record that a full store has no room for, though it has for small ones. */
const LARGE = 'x'.repeat(1_000_000);

describe('WriteQueue on a full disk', () => {
  let folder: string;
  let database: DatabaseSyncInstance;
  let observer: DatabaseSyncInstance;
  let queue: WriteQueue;

  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'full-disk-'));
    database = new DatabaseSync(path.join(folder, 'store'));
    database.exec(
      'PRAGMA journal_mode = WAL; CREATE TABLE records (name TEXT PRIMARY KEY, content TEXT)',
    );
    database.exec('PRAGMA max_page_count = 20');
    observer = new DatabaseSync(path.join(folder, 'store'));
    queue = new WriteQueue(database);
  });
  afterEach(() => {
    observer.close();
    database.close();
    fs.rmSync(folder, { recursive: true });
  });

  const insert = (name: string, content = '') =>
    database.prepare('INSERT INTO records VALUES (?, ?)').run(name, content).changes;
  const write = (name: string, content?: string) => queue.write(() => insert(name, content));
  const durable = () =>
    (observer.prepare('SELECT name FROM records ORDER BY name').all() as { name: string }[]).map(
      ({ name }) => name,
    );
  /** The names of the writes that were acknowledged. */
  const acknowledged = async (writes: Record<string, Promise<unknown>>) => {
    const outcomes = await Promise.allSettled(Object.values(writes));
    return Object.keys(writes).filter((_name, index) => outcomes[index]?.status === 'fulfilled');
  };

  it('fails every write of the batch where SQLite has undone all of it', async () => {
    let after: boolean | undefined;
    const large = queue.write(() => {
      try {
        return insert('large', LARGE);
      } finally {
        after = database.isTransaction;
      }
    });
    const writes = { a: write('a'), large, b: write('b') };
    expect(await acknowledged(writes)).toEqual([]);
    expect(after).toBe(false);
    expect(durable()).toEqual([]);
    await expect(large).rejects.toThrow('full');
  });

  it('fails the whole batch, too, where a write hides the failure of a statement', async () => {
    const hiding = queue.write(() => {
      try {
        insert('large', LARGE);
      } catch {
        return 'hidden';
      }
      return 'stored';
    });
    expect(await acknowledged({ a: write('a'), hiding, b: write('b') })).toEqual([]);
    expect(durable()).toEqual([]);
  });

  it('fails one write alone where SQLite has undone that statement alone', async () => {
    const many = queue.write(() =>
      database.exec(
        `INSERT INTO records SELECT 'many ' || value, '${LARGE.slice(0, 9000)}'
         FROM json_each('[${Array.from({ length: 50 }, (_, index) => index).join()}]')`,
      ),
    );
    const writes = { a: write('a'), many, b: write('b') };
    expect(await acknowledged(writes)).toEqual(['a', 'b']);
    expect(durable()).toEqual(['a', 'b']);
  });

  it('loses nothing that was acknowledged before, and works again when there is room', async () => {
    await write('before');
    expect(await acknowledged({ large: write('large', LARGE) })).toEqual([]);
    expect(durable()).toEqual(['before']);
    expect(database.isTransaction).toBe(false);
    expect(await write('small')).toBe(1);
    database.exec('PRAGMA max_page_count = 100000');
    expect(await write('large', LARGE)).toBe(1);
    expect(durable()).toEqual(['before', 'large', 'small']);
  });
});
