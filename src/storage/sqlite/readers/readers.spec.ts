import fs from 'node:fs';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { inRequest } from '../../../../test/contract/in-request.js';
import { useFolder } from '../../../../test/use-folder.js';
import { SqliteMetrics } from '../sqlite-metrics.js';
import { Readers } from './readers.js';

/** Rows without end; `in_time()` ends them at the deadline. */
const ROWS = 'WITH RECURSIVE rows (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM rows)';
const ENDLESS = `${ROWS} SELECT count(*) FROM rows WHERE in_time()`;
/** Takes some hundred milliseconds, whatever the deadline. */
const LONG = `${ROWS} SELECT count(*) FROM (SELECT n FROM rows LIMIT 1500000)`;

describe('Readers', () => {
  const folder = useFolder();
  let file: string;
  let database: DatabaseSyncInstance;
  let readers: Readers;

  beforeEach(() => {
    file = folder('store');
    database = new DatabaseSync(file);
    database.exec('PRAGMA journal_mode = WAL; CREATE TABLE records (name TEXT)');
    readers = new Readers(file, new SqliteMetrics());
  });
  afterEach(async () => {
    await readers.close();
    database.close();
  });

  const read = (sql: string, account = 'a', ...parameters: string[]) =>
    readers.read(account, { sql, parameters });
  const insert = (name: string) => database.prepare('INSERT INTO records VALUES (?)').run(name);
  const names = (account = 'a') => read('SELECT name FROM records ORDER BY name', account);

  it('returns the rows as arrays, with the last commit', async () => {
    for (const name of ['a', 'b', 'c']) {
      insert(name);
      expect((await names()).at(-1)).toEqual([name]);
    }
    expect(await read('SELECT ?, NULL, 7', 'a', "it's")).toEqual([["it's", null, 7]]);
  });

  it('leaves the main thread free', async () => {
    let hasEnded = false;
    const long = read(LONG).finally(() => (hasEnded = true));
    insert('meanwhile');
    expect(await names('b')).toEqual([['meanwhile']]);
    expect(hasEnded).toBe(false);
    await long;
  });

  it('cannot write', async () => {
    await expect(read("INSERT INTO records VALUES ('x')")).rejects.toThrow('readonly');
  });

  it('goes on after a statement that fails', async () => {
    await expect(read('SELECT missing')).rejects.toThrow('no such column');
    expect(await names()).toEqual([]);
  });

  describe('at the deadline of a request', () => {
    const late = { code: 'STORE_UNAVAILABLE', retryAfter: 1 };

    it('ends a statement, and reads the next one', async () => {
      await expect(inRequest(50, () => read(ENDLESS))).rejects.toMatchObject(late);
      expect(await names()).toEqual([]);
    });

    it('rejects at once where the statement does not end, whose turn goes on until it does', async () => {
      const ended: string[] = [];
      const long = inRequest(20, () => read(LONG)).catch((error: unknown) => {
        ended.push('request');
        return error;
      });
      const next = names('a').then(() => ended.push('turn'));
      const other = names('b').then(() => ended.push('turn of another'));
      await Promise.all([long, next, other]);
      expect(await long).toMatchObject(late);
      expect(ended.at(-1)).toBe('turn');
    });

    it('rejects a read that waits for its turn, and never runs it', async () => {
      const first = inRequest(300, () => read(ENDLESS));
      const second = inRequest(50, () => read(ENDLESS));
      await expect(second).rejects.toMatchObject(late);
      await expect(first).rejects.toMatchObject(late);
      expect(await names()).toEqual([]);
    });

    it('has passed for a read that begins after it', async () => {
      await expect(inRequest(0, () => names())).rejects.toMatchObject(late);
    });
  });

  it('starts a worker anew that has died', async () => {
    const elsewhere = new Readers(folder('later'), new SqliteMetrics());
    const select = { sql: 'SELECT 1', parameters: [] };
    await expect(elsewhere.read('a', select)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    fs.copyFileSync(file, folder('later'));
    expect(await elsewhere.read('a', select)).toEqual([[1]]);
    await elsewhere.close();
  });

  it('are closed once their statements have ended, and reject later ones', async () => {
    const reading = names();
    await readers.close();
    expect(await reading).toEqual([]);
    await expect(names()).rejects.toThrow('The store is closed');
  });
});
