import fs from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';
import { useFolder } from '../../../../test/use-folder.js';
import { StartupError } from '../../../shared/errors/startup-error.js';
import { MIGRATIONS } from '../migrations/migrate.js';
import type { StoreUser } from '../../store-user.js';
import { SqliteStore } from './sqlite-store.js';

describe('SqliteStore', () => {
  const folder = useFolder();
  let dataDir: string;
  let file: string;
  const opened: SqliteStore[] = [];

  beforeEach(() => {
    dataDir = folder();
    file = folder('licenses.sqlite');
  });
  afterEach(() => opened.splice(0).forEach((store) => store.close()));

  function open(inFolder = dataDir, user?: StoreUser): SqliteStore {
    const store = SqliteStore.open(inFolder, user);
    opened.push(store);
    return store;
  }
  const closeLast = () => opened.pop()?.close();
  const add = (store: SqliteStore, item: string) =>
    store.write(() => store.prepare('INSERT INTO deployment VALUES (?, ?)').run(item, 'value'));
  const items = (store: { prepare: SqliteStore['prepare'] }) =>
    store.prepare('SELECT item FROM deployment ORDER BY item').all() as { item: string }[];

  it('has one owner, and tells a second one what to do', () => {
    open();
    expect(open).toThrow(StartupError);
    expect(open).toThrow(
      `Another process is using the store in ${dataDir}: stop it, or set another DATA_DIR.`,
    );
    closeLast();
    expect(open().database.isOpen).toBe(true);
  });

  it('flushes every commit to a write-ahead log, and enforces foreign keys', () => {
    const store = open();
    const pragmas = ['journal_mode', 'synchronous', 'foreign_keys'].map(
      (name) => store.prepare(`PRAGMA ${name}`).get() as object,
    );
    expect(pragmas).toEqual([{ journal_mode: 'wal' }, { synchronous: 2 }, { foreign_keys: 1 }]);
  });

  it('never blocks the event loop by waiting for another process', () => {
    expect(open().prepare('PRAGMA busy_timeout').get()).toEqual({ timeout: 0 });
  });

  it('keeps writes, in a folder that only its user can read', async () => {
    const created = folder('new', 'data');
    await add(open(created), 'kept');
    closeLast();
    expect(items(open(created))).toEqual([{ item: 'kept' }]);
    expect(fs.statSync(created).mode & 0o777).toBe(0o700);
  });

  it('can be read by others while it is owned, as a backup does', async () => {
    await add(open(), 'kept');
    const backup = new DatabaseSync(file, { readOnly: true });
    expect(items(backup)).toEqual([{ item: 'kept' }]);
    backup.close();
  });

  it('lets a tool write beside its owner, each reading the writes of the other', async () => {
    const owner = open();
    const tool = open(dataDir, 'tool');
    await Promise.all([add(owner, 'a'), add(tool, 'b')]);
    expect(items(owner)).toEqual([{ item: 'a' }, { item: 'b' }]);
    expect(items(tool)).toEqual(items(owner));
  });

  it('lets a tool create the store, and an owner open it meanwhile', async () => {
    const tool = open(dataDir, 'tool');
    await add(tool, 'kept');
    expect(items(open())).toEqual([{ item: 'kept' }]);
    expect(items(tool)).toEqual([{ item: 'kept' }]);
  });

  it('makes every file readable by its user only', async () => {
    await add(open(), 'kept');
    const files = fs.readdirSync(dataDir).map((name) => fs.statSync(folder(name)));
    expect(files.length).toBeGreaterThan(2);
    expect(files.map(({ mode }) => mode & 0o777)).toEqual(files.map(() => 0o600));
  });

  it('leaves every record in one file when the owner closes it', async () => {
    await add(open(), 'kept');
    closeLast();
    fs.copyFileSync(file, folder('copy'));
    const database = new DatabaseSync(folder('copy'), { readOnly: true });
    expect(items(database)).toEqual([{ item: 'kept' }]);
    database.close();
  });

  it('rejects a tool beside an owner of another version', () => {
    open().database.exec(`PRAGMA user_version = ${MIGRATIONS.length + 1}`);
    expect(() => open(dataDir, 'tool')).toThrow(StartupError);
  });

  it.each(['a-file', 'a-file/data'])('explains a path that cannot be a folder: %s', (name) => {
    fs.writeFileSync(folder('a-file'), '');
    expect(() => open(folder(name))).toThrow(StartupError);
    expect(() => open(folder(name))).toThrow(`The store in ${folder(name)} cannot be opened (E`);
  });

  it('explains a damaged store, and does not keep the ownership', () => {
    fs.writeFileSync(file, 'no store of SQLite, but text that is long enough'.repeat(100));
    expect(open).toThrow(StartupError);
    expect(open).toThrow(/cannot be opened \(file is not a database\): .+ DATA_DIR/);
    fs.rmSync(file);
    expect(open().database.isOpen).toBe(true);
  });

  it('does not keep the ownership of a store that is rejected as newer', () => {
    open().database.exec(`PRAGMA user_version = ${MIGRATIONS.length + 1}`);
    closeLast();
    expect(open).toThrow('start the newer version that has written it');
    const repaired = new DatabaseSync(file);
    repaired.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
    repaired.close();
    expect(open().database.isOpen).toBe(true);
  });

  it('does not keep the ownership of a store whose migration fails', () => {
    const repair = new DatabaseSync(file);
    repair.exec('CREATE TABLE licenses (a)');
    expect(open).toThrow('already exists');
    repair.exec('DROP TABLE licenses');
    repair.close();
    expect(open().database.isOpen).toBe(true);
  });
});
