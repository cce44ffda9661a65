import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { COLLECTIONS } from '../../../../test/contract/records.js';
import { useFolder } from '../../../../test/use-folder.js';
import { type AnyCollection, collection, text, time } from '../../collection.js';
import { isUpToDate, migrate, SCHEMA, schemaVersion } from './migrate.js';

const FIELDS = { _id: text(), name: text(), at: time() };

const declare = (changes: object = {}): AnyCollection =>
  collection<never>('records', { fields: FIELDS, indexes: [['name', 'at']], ...changes } as never);

describe('migrate', () => {
  const folder = useFolder();
  let database: DatabaseSyncInstance;
  beforeEach(() => void (database = new DatabaseSync(folder('store'))));
  afterEach(() => database.close());

  const all = (sql: string, of = database) => of.prepare(sql).all() as Record<string, unknown>[];
  const schema = (of = database) => all('SELECT * FROM sqlite_schema ORDER BY name', of);
  const insert = (sql: string) => () => database.exec(`INSERT INTO records ${sql}`);
  const migrateTo = (changes: object = {}) => migrate(database, [declare(changes)]);

  it('gives a new store every collection, and changes nothing in one that is up to date', () => {
    expect(isUpToDate(database, COLLECTIONS)).toBe(false);
    migrate(database, COLLECTIONS);
    expect(isUpToDate(database, COLLECTIONS)).toBe(true);
    expect(schemaVersion(database)).toBe(SCHEMA);
    const before = schema();
    database.exec("INSERT INTO labels VALUES ('kept', 'text', 1)");
    migrate(database, COLLECTIONS);
    expect(schema()).toEqual(before);
    expect(all('SELECT _id FROM labels')).toEqual([{ _id: 'kept' }]);
  });

  it('adds indexes, drops those that are declared no longer, and leaves tables that are not', () => {
    database.exec('CREATE TABLE other (a); CREATE INDEX other_by_a ON other (a)');
    migrateTo({ indexes: [['name'], ['name', 'at']] });
    migrateTo({ indexes: [['at']], unique: [['name']] });
    const names = all("SELECT name FROM sqlite_schema WHERE sql LIKE '%INDEX%' ORDER BY name");
    expect(names).toEqual(
      ['other_by_a', 'records_by_at', 'records_by_name'].map((name) => ({ name })),
    );
    insert("VALUES ('a', 'A', 1, 1)")();
    expect(insert("VALUES ('b', 'A', 1, 1)")).toThrow('UNIQUE');
  });

  describe('with migrations', () => {
    const append = (letter: string) => `UPDATE records SET name = name || '${letter}'`;
    const migrateBy = (...migrations: string[]) => migrate(database, [declare()], migrations);
    const names = () => all('SELECT name FROM records').map(({ name }) => name);
    beforeEach(() => {
      migrateBy(append('a'));
      insert("VALUES ('1', '', 1, 1)")();
    });

    it('runs none on a new store, and each one once after that', () => {
      expect([names(), schemaVersion(database)]).toEqual([[''], 2]);
      for (const _start of [1, 2]) migrateBy(append('a'), append('b'), append('c'));
      expect([names(), schemaVersion(database)]).toEqual([['bc'], 4]);
    });

    it('changes nothing if one fails, and starts over at the next start', () => {
      expect(() => migrateBy('', append('b'), 'UPDATE missing SET a = 1')).toThrow('no such table');
      expect([names(), schemaVersion(database)]).toEqual([[''], 2]);
      migrateBy('', append('b'), append('c'));
      expect([names(), schemaVersion(database)]).toEqual([['bc'], 4]);
    });
  });

  it('leaves a store as it was if it fails halfway', () => {
    database.exec('CREATE TABLE shelves (of_another_program TEXT)');
    expect(() => migrate(database, COLLECTIONS)).toThrow('Cannot add a PRIMARY KEY column');
    expect(database.isTransaction).toBe(false);
    const observer = new DatabaseSync(folder('store'));
    expect(schema(observer)).toMatchObject([{ name: 'shelves' }]);
    expect(schemaVersion(observer)).toBe(0);
    observer.close();
  });
});
