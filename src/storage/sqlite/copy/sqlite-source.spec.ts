import fs from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';
import { useFolder } from '../../../../test/use-folder.js';
import { StartupError } from '../../../shared/errors/startup-error.js';
import { SqliteStore } from '../connection/sqlite-store.js';
import { MIGRATIONS } from '../migrations/migrate.js';
import { SqliteSource } from './sqlite-source.js';

describe('the store that is copied', () => {
  const folder = useFolder();
  const file = () => folder('licenses.sqlite');

  it('is rejected where an earlier version has written it, and is not migrated', () => {
    const database = new DatabaseSync(file());
    database.exec(`${MIGRATIONS[0]} PRAGMA user_version = 1; PRAGMA journal_mode = WAL`);
    database.close();
    const bytes = fs.readFileSync(file());
    const open = () => SqliteSource.open(folder());
    expect(open).toThrow(StartupError);
    expect(open).toThrow(/ was written by an earlier version: start the service of this version/);
    expect(fs.readFileSync(file()).equals(bytes)).toBe(true);
  });

  it('is rejected in one sentence where it turns out to be damaged', () => {
    const store = SqliteStore.open(folder());
    store.database.exec(
      `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 2000)
       INSERT INTO login_addresses SELECT hex(randomblob(400)), n, n FROM numbers`,
    );
    store.close();
    const bytes = fs.readFileSync(file());
    fs.writeFileSync(file(), bytes.fill(0x55, bytes.length / 2));
    const source = SqliteSource.open(folder());
    const read = () => [...source.pages('loginAddresses')];
    expect(read).toThrow(StartupError);
    expect(read).toThrow(
      /^The store in [^\n]+ cannot be read \(database disk image is malformed\): /,
    );
    source.close();
  });

  it('is rejected while a reader keeps writes out of its file, which shows by its time whether it has changed', () => {
    SqliteStore.open(folder()).close();
    const reader = new DatabaseSync(file());
    reader.exec('BEGIN; SELECT count(*) FROM users');
    const store = SqliteStore.open(folder());
    store.database.exec("INSERT INTO login_addresses VALUES ('hash', 'user', 1)");
    store.close();
    const open = () => SqliteSource.open(folder());
    expect(open).toThrow(/reads the store in [^\n]+: let it end first\.$/);
    reader.exec('ROLLBACK');
    const source = open();
    expect(source.count('loginAddresses')).toBe(1);
    source.close();
    reader.close();
  });

  it('is closed where SQLite has ended the transaction', () => {
    const opened = jest.spyOn(SqliteStore, 'open');
    SqliteStore.open(folder()).close();
    const source = SqliteSource.open(folder());
    const { database } = opened.mock.results.at(-1)!.value as SqliteStore;
    database.exec('ROLLBACK');
    source.close();
    expect(database.isOpen).toBe(false);
  });
});
