import fs from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';
import { useFolder } from '../../../../test/use-folder.js';
import { StartupError } from '../../../shared/errors/startup-error.js';
import { insert } from '../../changes.js';
import { collection, NOT_STORED, type Stored, text, time } from '../../collection.js';
import { SqliteStore } from '../connection/sqlite-store.js';
import { OLDEST_SCHEMA } from '../migrations/migrate.js';
import { SqliteSource } from './sqlite-source.js';

interface Note extends Stored {
  readonly text: string;
  readonly at: Date;
}

const NOTES = collection<Note>('notes', { fields: { _id: text(), text: text(), at: time() } });
const at = new Date(1_767_225_600_123);
const aNote = (_id: string, length = 4): Note => ({
  ...{ _id, at, version: NOT_STORED, text: 'x'.repeat(length) },
});

describe('the store that is copied', () => {
  const folder = useFolder();
  const file = () => folder('licenses.sqlite');
  const open = () => SqliteSource.open(folder(), [NOTES]);

  /** Stores notes as the service does. */
  const store = async (...notes: Note[]) => {
    const opened = SqliteStore.open(folder(), [NOTES]);
    await opened.commit(notes.map((note) => insert(NOTES, note)));
    await opened.close();
  };

  it('is read in pages, in the order of the ids', async () => {
    const ids = Array.from({ length: 2_500 }, (_, index) => String(index)).toSorted();
    await store(...ids.map((_id) => aNote(_id)).toReversed());
    const source = await open();
    const pages = [...source.pages(NOTES)];
    expect(pages.map(({ length }) => length)).toEqual([1_000, 1_000, 500]);
    expect(pages.flat().map(({ _id }) => _id)).toEqual(ids);
    expect(pages[0]![0]).toEqual({ ...aNote('0'), version: expect.any(Number) as number });
    expect(source.count(NOTES)).toBe(2_500);
    await source.close();
  });

  it('is rejected where an earlier version has written it, and is not migrated', async () => {
    const database = new DatabaseSync(file());
    database.exec(`PRAGMA user_version = ${OLDEST_SCHEMA}; PRAGMA journal_mode = WAL`);
    database.close();
    const bytes = fs.readFileSync(file());
    await expect(open()).rejects.toThrow(StartupError);
    await expect(open()).rejects.toThrow(/ was written by an earlier version: start the service/);
    expect(fs.readFileSync(file()).equals(bytes)).toBe(true);
  });

  it('is rejected in one sentence where it turns out to be damaged', async () => {
    await store(...Array.from({ length: 100 }, (_, index) => aNote(`${index}`, 10_000)));
    const bytes = fs.readFileSync(file());
    fs.writeFileSync(file(), bytes.fill(0x55, bytes.length / 2));
    const source = await open();
    const read = () => [...source.pages(NOTES)];
    expect(read).toThrow(StartupError);
    expect(read).toThrow(/^The store in [^\n]+ cannot be read \([^\n]+\): make its disk /);
    await source.close();
  });

  it('is not written by a command while it is copied', async () => {
    await store();
    const source = await open();
    const tool = SqliteStore.open(folder(), [NOTES], 'tool');
    const written = tool.commit([insert(NOTES, aNote('1'))]);
    expect([...source.pages(NOTES)]).toEqual([]);
    await source.close();
    expect(await written).toMatchObject({ ok: true });
    await tool.close();
  });

  it('is closed where SQLite has ended the transaction', async () => {
    await store();
    const source = await open();
    source.store.database.exec('ROLLBACK');
    await source.close();
    expect(source.store.database.isOpen).toBe(false);
  });
});
