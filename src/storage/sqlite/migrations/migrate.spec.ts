import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { COLLECTIONS } from '../../../../test/contract/records.js';
import { useFolder } from '../../../../test/use-folder.js';
import { StartupError } from '../../../shared/errors/startup-error.js';
import { isUpToDate, migrate, OLDEST_SCHEMA, SCHEMA, schemaVersion } from './migrate.js';

describe('migrate', () => {
  const folder = useFolder();
  let database: DatabaseSyncInstance;
  beforeEach(() => void (database = new DatabaseSync(folder('store'))));
  afterEach(() => database.close());

  const schema = (of = database) =>
    of.prepare('SELECT * FROM sqlite_schema ORDER BY name').all() as object[];
  const setSchema = (version: number) => database.exec(`PRAGMA user_version = ${version}`);

  it('gives a new store every collection', () => {
    expect(isUpToDate(database, COLLECTIONS)).toBe(false);
    migrate(database, COLLECTIONS);
    expect(isUpToDate(database, COLLECTIONS)).toBe(true);
    expect(schemaVersion(database)).toBe(SCHEMA);
  });

  it('changes nothing in a store that is up to date', () => {
    migrate(database, COLLECTIONS);
    const before = schema();
    database.exec("INSERT INTO labels VALUES ('kept', 'text', 1)");
    migrate(database, COLLECTIONS);
    expect(schema()).toEqual(before);
    expect(database.prepare('SELECT _id FROM labels').all()).toEqual([{ _id: 'kept' }]);
  });

  it.each([
    [SCHEMA + 1, `this program knows ${SCHEMA}: use the newer version that has written it.`],
    [
      OLDEST_SCHEMA - 1,
      'which a version before 0.5 has written: start version 0.5 once, which migrates it, and then this one.',
    ],
    [1, 'which a version before 0.5 has written: start version 0.5 once'],
  ])('rejects a store of schema %i, and leaves it unchanged', (version, what) => {
    database.exec('CREATE TABLE other (a)');
    setSchema(version);
    const before = schema();
    const migrating = () => migrate(database, COLLECTIONS);
    expect(migrating).toThrow(StartupError);
    expect(migrating).toThrow(`The store ${folder('store')} has schema ${version}`);
    expect(migrating).toThrow(what);
    expect(schema()).toEqual(before);
    expect(schemaVersion(database)).toBe(version);
  });

  it.each([OLDEST_SCHEMA, SCHEMA + 1])('finds a store of schema %i not up to date', (version) => {
    migrate(database, COLLECTIONS);
    setSchema(version);
    expect(isUpToDate(database, COLLECTIONS)).toBe(false);
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
