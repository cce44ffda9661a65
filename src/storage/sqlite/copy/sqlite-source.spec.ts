import fs from 'node:fs';
import { aLabel, LABELS } from '../../../../test/contract/records.js';
import { useFolder } from '../../../../test/use-folder.js';
import { StartupError } from '../../../shared/errors/startup-error.js';
import { insert } from '../../changes.js';
import { SqliteStore } from '../connection/sqlite-store.js';
import { SqliteSource } from './sqlite-source.js';

describe('the store that is copied', () => {
  const folder = useFolder();
  const open = () => SqliteSource.open(folder(), [LABELS]);

  /** Stores records as the service does. */
  const store = async (count: number, padding = '') => {
    const opened = SqliteStore.open(folder(), [LABELS]);
    const ids = Array.from({ length: count }, (_, index) => `${index} ${padding}`);
    await opened.commit(ids.map((_id) => insert(LABELS, aLabel(_id))));
    await opened.close();
    return ids.toSorted();
  };

  it('is read in pages, in the order of the ids', async () => {
    const ids = await store(2_500);
    const source = await open();
    const pages = [...source.pages(LABELS)];
    expect(pages.map(({ length }) => length)).toEqual([1_000, 1_000, 500]);
    expect(pages.flat().map(({ _id }) => _id)).toEqual(ids);
    expect(source.count(LABELS)).toBe(2_500);
    await source.close();
  });

  it('is rejected in one sentence where it turns out to be damaged', async () => {
    await store(100, 'text '.repeat(1_000));
    const file = folder('licenses.sqlite');
    const bytes = fs.readFileSync(file);
    fs.writeFileSync(file, bytes.fill(0x55, bytes.length / 2));
    const source = await open();
    const read = () => [...source.pages(LABELS)];
    expect(read).toThrow(StartupError);
    expect(read).toThrow(/^The store in [^\n]+ cannot be read \([^\n]+\): make its disk /);
    await source.close();
  });

  it('is not written by a command while it is copied', async () => {
    await store(0);
    const source = await open();
    const tool = SqliteStore.open(folder(), [LABELS], 'command');
    const written = tool.commit([insert(LABELS, aLabel('1'))]);
    expect([...source.pages(LABELS)]).toEqual([]);
    await source.close();
    expect(await written).toMatchObject({ ok: true });
    await tool.close();
  });
});
