import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { useFolder } from '../../../../test/use-folder.js';
import { StartupError } from '../../../shared/errors/startup-error.js';
import { isUpToDate, migrate, MIGRATIONS } from './migrate.js';

describe('migrate', () => {
  const folder = useFolder();
  let database: DatabaseSyncInstance;
  beforeEach(() => void (database = new DatabaseSync(folder('store'))));
  afterEach(() => database.close());

  const versionOf = (of = database) =>
    (of.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
  const schema = (of = database) =>
    of.prepare('SELECT * FROM sqlite_schema ORDER BY name').all() as object[];

  it('runs every migration on a new store', () => {
    migrate(database);
    expect(versionOf()).toBe(MIGRATIONS.length);
    expect(schema()).toEqual(
      expect.arrayContaining(
        ['clients', 'deployment', 'licenses', 'projects', 'users'].map(
          (name) => expect.objectContaining({ type: 'table', name }) as object,
        ),
      ),
    );
  });

  it('changes nothing in a store that is up to date', () => {
    migrate(database);
    const before = schema();
    database.exec("INSERT INTO deployment VALUES ('data-keys', 'kept')");
    migrate(database);
    expect(schema()).toEqual(before);
    expect(versionOf()).toBe(MIGRATIONS.length);
    expect(database.prepare('SELECT value FROM deployment').all()).toEqual([{ value: 'kept' }]);
  });

  it('rejects a store of a newer version, and leaves it unchanged', () => {
    database.exec(`CREATE TABLE newer (a); PRAGMA user_version = ${MIGRATIONS.length + 1}`);
    const before = schema();
    expect(() => migrate(database)).toThrow(StartupError);
    expect(() => migrate(database)).toThrow(
      `The store ${folder('store')} has schema ${MIGRATIONS.length + 1} and this program knows ${MIGRATIONS.length}: ` +
        'start the newer version that has written it.',
    );
    expect(schema()).toEqual(before);
    expect(versionOf()).toBe(MIGRATIONS.length + 1);
  });

  it.each([MIGRATIONS.length - 1, MIGRATIONS.length + 1])(
    'does not consider a store of schema %i up to date',
    (version) => {
      migrate(database);
      expect(isUpToDate(database)).toBe(true);
      database.exec(`PRAGMA user_version = ${version}`);
      expect(isUpToDate(database)).toBe(false);
    },
  );

  it('rolls back a migration that fails half way', () => {
    database.exec('CREATE TABLE licenses (of_another_program TEXT)');
    expect(() => migrate(database)).toThrow('table licenses already exists');
    expect(database.isTransaction).toBe(false);
    const observer = new DatabaseSync(folder('store'));
    expect(schema(observer)).toMatchObject([{ name: 'licenses' }]);
    expect(versionOf(observer)).toBe(0);
    observer.close();
  });
});
