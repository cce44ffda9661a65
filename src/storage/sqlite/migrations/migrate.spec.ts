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

  const all = (sql: string, of = database) => of.prepare(sql).all() as object[];
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

  it('leaves a store as it was where it fails half way', () => {
    database.exec('CREATE TABLE shelves (of_another_program TEXT)');
    expect(() => migrate(database, COLLECTIONS)).toThrow('Cannot add a PRIMARY KEY column');
    expect(database.isTransaction).toBe(false);
    const observer = new DatabaseSync(folder('store'));
    expect(schema(observer)).toMatchObject([{ name: 'shelves' }]);
    expect(schemaVersion(observer)).toBe(0);
    observer.close();
  });
});
