import fs from 'node:fs';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { COLLECTIONS } from '../../../test/contract/records.js';
import { useFolder } from '../../../test/use-folder.js';
import type { OpenMode } from '../store.js';
import { bringUpToDate, isUpToDate, requireKnown, SCHEMA } from './schema.js';

describe('bringUpToDate', () => {
  const folder = useFolder();
  let database: DatabaseSyncInstance;
  beforeEach(() => void (database = new DatabaseSync(folder('store'))));
  afterEach(() => database.close());

  const schema = (of = database) =>
    of.prepare('SELECT * FROM sqlite_schema ORDER BY name').all() as object[];

  it('creates every collection in a new store, and changes nothing in an existing one', () => {
    expect(isUpToDate(database, COLLECTIONS)).toBe(false);
    bringUpToDate(database, COLLECTIONS);
    expect(isUpToDate(database, COLLECTIONS)).toBe(true);
    expect(requireKnown(database)).toBe(SCHEMA);
    const before = schema();
    database.exec("INSERT INTO labels VALUES ('kept', 'text', 1)");
    bringUpToDate(database, COLLECTIONS);
    expect(schema()).toEqual(before);
    expect(database.prepare('SELECT _id FROM labels').all()).toEqual([{ _id: 'kept' }]);
  });

  it('keeps a copy from before a migration, which a command does not run', () => {
    bringUpToDate(database, COLLECTIONS);
    database.exec("INSERT INTO labels VALUES ('1', 'old', 1)");
    const migrate = (mode: OpenMode) =>
      bringUpToDate(database, COLLECTIONS, mode, ["UPDATE labels SET text = 'new'"]);
    expect(() => migrate('command')).toThrow(/was written by an earlier version\. Start this /);
    // The state that an interrupted migration leaves.
    fs.writeFileSync(folder('store.before-v2'), 'partial');
    migrate('service');
    const copy = new DatabaseSync(folder('store.before-v2'), { readOnly: true });
    const text = (of: DatabaseSyncInstance): unknown => of.prepare('SELECT text FROM labels').get();
    expect([text(copy), text(database)]).toEqual([{ text: 'old' }, { text: 'new' }]);
    copy.close();
  });

  it('runs pending migrations once, in order, all or none, and none on a new store', () => {
    const append = (letter: string) => `UPDATE labels SET text = text || '${letter}'`;
    const migrate = (...migrations: string[]) =>
      bringUpToDate(database, COLLECTIONS, 'service', migrations);
    const state = (): unknown => [
      database.prepare('SELECT text FROM labels').get(),
      database.prepare('PRAGMA user_version').get(),
    ];
    migrate('UPDATE missing SET a = 1');
    database.exec("INSERT INTO labels VALUES ('1', '', 1)");
    expect(() => migrate('', append('b'), 'UPDATE missing SET a = 1')).toThrow('no such table');
    expect(state()).toEqual([{ text: '' }, { user_version: 2 }]);
    for (const _start of [1, 2]) migrate('', append('b'), append('c'));
    expect(state()).toEqual([{ text: 'bc' }, { user_version: 4 }]);
    expect(() => migrate('')).toThrow('has schema 4 but this program supports 2');
  });

  it('leaves the store unchanged if it fails halfway', () => {
    database.exec('CREATE TABLE shelves (of_another_program TEXT)');
    expect(() => bringUpToDate(database, COLLECTIONS)).toThrow('Cannot add a PRIMARY KEY column');
    expect(database.isTransaction).toBe(false);
    const observer = new DatabaseSync(folder('store'));
    expect(schema(observer)).toMatchObject([{ name: 'shelves' }]);
    expect(requireKnown(observer)).toBe(0);
    observer.close();
  });
});
