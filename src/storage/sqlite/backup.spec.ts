import fs from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';
import { startupErrorOf } from '../../../test/contract/startup-error-of.js';
import { useFolder } from '../../../test/use-folder.js';
import { COLLECTIONS } from '../../collections.js';
import { backUpStore, restoreStore } from './backup.js';
import { SCHEMA } from './schema.js';
import { SqliteStore } from './sqlite-store.js';

describe('a backup', () => {
  const folder = useFolder();
  const data = (...names: string[]) => folder('data', ...names);
  const file = () => folder('backup.sqlite');
  let store: SqliteStore;

  beforeEach(() => void (store = SqliteStore.open(data(), COLLECTIONS)));
  afterEach(() => (store.database.isOpen ? store.close() : undefined));

  const fill = (size: number) =>
    store.database.exec(
      `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${size})
       INSERT INTO login_addresses SELECT hex(randomblob(400)), n, n, n, 1 FROM numbers`,
    );
  const countIn = (path: string) => {
    const database = new DatabaseSync(path);
    const count: unknown = database.prepare('SELECT count(*) AS count FROM login_addresses').get();
    database.close();
    return count;
  };
  const rejectionOf = async (work: Promise<unknown>) => {
    const message = await startupErrorOf(work);
    expect(message).toMatch(/^[^\n]+\.$/);
    return message;
  };

  it('of a store in use is a copy without deleted data', async () => {
    fill(7_000);
    store.database.exec('DELETE FROM login_addresses WHERE usedAt > 10');
    const { schema, bytes } = await backUpStore(data(), file());
    expect(schema).toBe(SCHEMA);
    expect(bytes).toBeLessThan(1_000_000);
    expect(countIn(file())).toEqual({ count: 10 });
  });

  it('never replaces a file', async () => {
    fs.writeFileSync(file(), 'another one');
    expect(await rejectionOf(backUpStore(data(), file()))).toBe(
      `${file()} already exists. Choose a new file name.`,
    );
    expect(fs.readFileSync(file(), 'utf8')).toBe('another one');
    expect(fs.readdirSync(folder()).sort()).toEqual(['backup.sqlite', 'data']);
  });

  it('of a damaged store fails', async () => {
    fill(2_000);
    await store.close();
    const bytes = fs.readFileSync(data('licenses.sqlite'));
    const middle = bytes.length / 2;
    fs.writeFileSync(data('licenses.sqlite'), bytes.fill(0x55, middle, middle + 9_000));
    expect(await rejectionOf(backUpStore(data(), file()))).toMatch(
      /^The store .+ cannot be read \(.+\)\. .+ restore a backup\.$/,
    );
    expect(fs.readdirSync(folder())).toEqual(['data']);
  });

  describe('that was made', () => {
    const target = (...names: string[]) => folder('restored', ...names);
    const restore = () => restoreStore(file(), target());
    beforeEach(async () => {
      fill(5);
      await backUpStore(data(), file());
    });

    it('is restored to a new folder, identical to the original store', async () => {
      await restore();
      expect(fs.readdirSync(target())).toEqual(['licenses.sqlite']);
      expect(fs.statSync(target('licenses.sqlite')).mode & 0o777).toBe(0o600);
      expect(fs.statSync(target()).mode & 0o777).toBe(0o700);
      const restored = SqliteStore.open(target(), COLLECTIONS);
      expect(countIn(target('licenses.sqlite'))).toEqual({ count: 5 });
      await restored.close();
    });

    it('is never restored to a folder with other files', async () => {
      fs.mkdirSync(target());
      fs.writeFileSync(target('licenses.sqlite-wal'), 'something');
      expect(await rejectionOf(restore())).toMatch(
        /^.+ is not empty \(it contains licenses\.sqlite-wal\)\. Set DATA_DIR to an empty folder/,
      );
      expect(fs.readdirSync(target())).toEqual(['licenses.sqlite-wal']);
    });

    it.each<[string, () => void, RegExp]>([
      ['is cut off', () => fs.truncateSync(file(), 20_000), / is damaged or not a store \(/],
      [
        'is empty',
        () => fs.truncateSync(file(), 0),
        / is damaged or not a store \(it has no records/,
      ],
      ['is missing', () => fs.rmSync(file()), / cannot be read \(ENOENT\)\. Choose a backup/],
      ['has a log beside it', () => fs.writeFileSync(`${file()}-wal`, 'x'), / was copied while it/],
      ['is a folder', () => makeFolder(file()), / cannot be read \(EISDIR\)\. Choose a backup/],
      ['is of a newer version', () => setSchema(99), / has schema 99 but this program supports/],
    ])('is not restored if it %s', async (_, change, message) => {
      change();
      expect(await rejectionOf(restore())).toMatch(message);
      expect(fs.existsSync(target('licenses.sqlite'))).toBe(false);
    });

    function makeFolder(name: string): void {
      fs.rmSync(name);
      fs.mkdirSync(name);
    }

    function setSchema(version: number): void {
      const database = new DatabaseSync(file());
      database.exec(`PRAGMA journal_mode = DELETE; PRAGMA user_version = ${version}`);
      database.close();
    }
  });
});
