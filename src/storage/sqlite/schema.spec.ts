import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { COLLECTIONS } from '../../../test/contract/records.js';
import { type AnyCollection, collection, integer, text, time } from '../collection.js';
import { schemaChanges } from './schema.js';

const declare = (changes: object = {}): AnyCollection => {
  const declaration = { _id: text(), name: text(), at: time() };
  return collection<never>('records', {
    fields: declaration,
    indexes: [['name', 'at']],
    ...changes,
  } as never);
};

describe('schemaChanges', () => {
  let database: DatabaseSyncInstance;
  beforeEach(() => void (database = new DatabaseSync(':memory:')));
  afterEach(() => database.close());

  const apply = (...collections: readonly AnyCollection[]) => {
    const { surplus, missing } = schemaChanges(database, collections);
    [...surplus, ...missing].forEach((statement) => database.exec(statement));
    return { surplus: surplus.length, missing: missing.length };
  };
  const all = (sql: string) => database.prepare(sql).all() as object[];
  const insert = (sql: string) => () => database.exec(`INSERT INTO records ${sql}`);

  it('has no statements for a store that has everything', () => {
    expect(apply(...COLLECTIONS).missing).toBeGreaterThan(0);
    expect(apply(...COLLECTIONS)).toEqual({ surplus: 0, missing: 0 });
  });

  it('makes strict tables, whose columns are null only where the field may be', () => {
    const fields = { _id: text(), order: integer(), by: text().nullable() };
    apply(declare({ fields, indexes: [] }));
    expect(insert("VALUES ('a', 1, NULL, 1)")).not.toThrow();
    expect(insert("VALUES ('a', 1, NULL, 1)")).toThrow('UNIQUE');
    expect(insert("VALUES ('b', NULL, NULL, 1)")).toThrow('NOT NULL');
    expect(insert("VALUES ('b', 'text', NULL, 1)")).toThrow('cannot store TEXT');
    expect(insert('VALUES (NULL, 1, NULL, 1)')).toThrow('NOT NULL');
  });

  it('adds a field to the records that lack it, with its first value', () => {
    apply(declare());
    insert("(_id, name, at, version) VALUES ('a', 'A', 1, 1)")();
    const added = {
      quote: text().since("it's"),
      count: integer().since(-1),
      endedAt: time().since(new Date(5)),
      note: text().nullable(),
    };
    const fields = { _id: text(), name: text(), at: time(), ...added };
    expect(apply(declare({ fields }))).toEqual({ surplus: 0, missing: 4 });
    expect(all('SELECT * FROM records')).toEqual([
      { _id: 'a', name: 'A', at: 1, version: 1, quote: "it's", count: -1, endedAt: 5, note: null },
    ]);
    // A program of the version before can still insert.
    expect(insert("(_id, name, at, version) VALUES ('b', 'B', 1, 1)")).not.toThrow();
  });

  it('has the value for earlier programs in a table that is made with the field, too', () => {
    apply(
      declare({ fields: { _id: text(), name: text(), at: time(), count: integer().since(2) } }),
    );
    insert("(_id, name, at, version) VALUES ('a', 'A', 1, 1)")();
    expect(all('SELECT count FROM records')).toEqual([{ count: 2 }]);
  });

  it('adds indexes, and drops those that are declared no longer', () => {
    apply(declare());
    const indexes = [['at']];
    expect(apply(declare({ indexes, unique: [['name']] }))).toEqual({ surplus: 1, missing: 2 });
    const names = all("SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL");
    expect(names).toEqual([{ name: 'records_by_name' }, { name: 'records_by_at' }]);
  });

  it('makes an index anew that has become unique', () => {
    apply(declare({ indexes: [['name']] }));
    expect(apply(declare({ indexes: [], unique: [['name']] }))).toEqual({ surplus: 1, missing: 1 });
    insert("VALUES ('a', 'A', 1, 1)")();
    expect(insert("VALUES ('b', 'A', 1, 1)")).toThrow('UNIQUE');
  });

  it('leaves tables that are not declared', () => {
    database.exec('CREATE TABLE other (a); CREATE INDEX other_by_a ON other (a)');
    expect(apply(declare()).surplus).toBe(0);
  });
});
