import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { COLLECTIONS } from '../../../test/contract/records.js';
import { useFolder } from '../../../test/use-folder.js';
import { createMissing, missingIn, requireKnown } from './schema.js';

describe('createMissing', () => {
  const folder = useFolder();
  let database: DatabaseSyncInstance;
  beforeEach(() => void (database = new DatabaseSync(folder('store'))));
  afterEach(() => database.close());

  const schema = (of = database) =>
    of.prepare('SELECT * FROM sqlite_schema ORDER BY name').all() as object[];

  it('gives a new store every collection, and changes nothing in one that has them', () => {
    expect(missingIn(database, COLLECTIONS)).not.toEqual([]);
    createMissing(database, COLLECTIONS);
    expect(missingIn(database, COLLECTIONS)).toEqual([]);
    expect(requireKnown(database)).toBe(1);
    const before = schema();
    database.exec("INSERT INTO labels VALUES ('kept', 'text', 1)");
    createMissing(database, COLLECTIONS);
    expect(schema()).toEqual(before);
    expect(database.prepare('SELECT _id FROM labels').all()).toEqual([{ _id: 'kept' }]);
  });

  it('leaves a store as it was if it fails halfway', () => {
    database.exec('CREATE TABLE shelves (of_another_program TEXT)');
    expect(() => createMissing(database, COLLECTIONS)).toThrow('Cannot add a PRIMARY KEY column');
    expect(database.isTransaction).toBe(false);
    const observer = new DatabaseSync(folder('store'));
    expect(schema(observer)).toMatchObject([{ name: 'shelves' }]);
    expect(requireKnown(observer)).toBe(0);
    observer.close();
  });
});
