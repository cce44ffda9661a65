import fs from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { expectUnavailable, inRequest } from '../../../test/contract/in-request.js';
import { useFolder } from '../../../test/use-folder.js';
import { StoreMetrics } from '../store-metrics.js';
import { Readers } from './readers.js';

/** Takes a few hundred milliseconds, whatever the deadline. */
const LONG = `
  WITH RECURSIVE rows (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM rows)
  SELECT count(*) FROM (SELECT n FROM rows LIMIT 500000)`;

describe('Readers', () => {
  const folder = useFolder();
  let file: string;
  let database: DatabaseSyncInstance;
  let readers: Readers;

  beforeEach(() => {
    file = folder('store');
    database = new DatabaseSync(file);
    database.exec('PRAGMA journal_mode = WAL; CREATE TABLE records (name TEXT)');
    readers = new Readers(file, new StoreMetrics());
  });
  afterEach(async () => {
    await readers.close();
    database.close();
  });

  const read = (sql: string, account = 'a', ...parameters: string[]) =>
    readers.read(account, { sql, parameters });
  const names = (account = 'a') => read('SELECT name FROM records ORDER BY name', account);

  it('cannot write, and continue after a failed statement', async () => {
    await expect(read("INSERT INTO records VALUES ('x')")).rejects.toThrow('readonly');
    await expect(read('SELECT missing')).rejects.toThrow('no such column');
    expect(await names()).toEqual([]);
  });

  it('reject a request at its deadline, although its statement keeps running and keeps its turn', async () => {
    const ended: string[] = [];
    // Both workers have now started, which can take longer than the statement.
    await Promise.all([names('a'), names('b')]);
    const long = inRequest(20, () => read(LONG)).catch((error: unknown) => {
      ended.push('request');
      return error;
    });
    const next = inRequest(60_000, () => names('a')).then(() => ended.push('turn'));
    const other = inRequest(60_000, () => names('b')).then(() => ended.push('turn of another'));
    await Promise.all([long, next, other]);
    expect(await long).toMatchObject({ code: 'STORE_UNAVAILABLE', retryAfter: 1 });
    expect(ended.at(-1)).toBe('turn');
  });

  it('reject a request whose statement reaches its deadline, whichever clock is first', async () => {
    await names();
    const late = () => inRequest(2.99, () => read(`${LONG} WHERE in_time()`));
    for (let attempt = 0; attempt < 20; attempt += 1) await expectUnavailable([late()]);
  });

  it('let other work run between two replies', async () => {
    await names();
    const order: string[] = [];
    const pages = Array.from({ length: 5 }, async () => {
      await names();
      order.push('page');
      // Meanwhile, the worker replies to the next one.
      const end = performance.now() + 50;
      while (performance.now() < end);
    });
    const reading = Promise.all(pages).then(() => true);
    while (!(await Promise.race([reading, setImmediate(false)]))) order.push('other');
    expect(order.join(' ')).not.toContain('page page');
  });

  it('start another worker if one has died', async () => {
    const elsewhere = new Readers(folder('later'), new StoreMetrics());
    const select = { sql: 'SELECT 1', parameters: [] };
    await expect(elsewhere.read('a', select)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    fs.copyFileSync(file, folder('later'));
    expect(await elsewhere.read('a', select)).toEqual([[1]]);
    await elsewhere.close();
  });

  it('close after their current statements, and reject later ones', async () => {
    const reading = names();
    await setImmediate();
    await readers.close();
    expect(await reading).toEqual([]);
    await expect(names()).rejects.toThrow('The store is closed');
  });
});
