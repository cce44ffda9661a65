import fs from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';
import {
  aLabel,
  anItem,
  COLLECTIONS,
  type Item,
  ITEMS,
  LABELS,
} from '../../../test/contract/records.js';
import { useFolder } from '../../../test/use-folder.js';
import { PrometheusMetrics } from '../../metrics/prometheus-metrics.js';
import { StartupError } from '../../shared/errors/startup-error.js';
import { increment, insert, replace, setAll } from '../changes.js';
import { type AnyCollection, field } from '../collection.js';
import type { OpenMode } from '../store.js';
import { Codec } from './codec.js';
import { RecordCache } from './table.js';
import { SCHEMA } from './schema.js';
import { SqliteStore } from './sqlite-store.js';
import { createStoreFile } from './store-file.js';

/** The labels of a later version, with one more field. */
const GROWN = {
  ...LABELS,
  fields: { ...LABELS.fields, colour: field.text().since('red') },
} as typeof LABELS;

describe('a SQLite store', () => {
  const folder = useFolder();
  const file = () => folder('licenses.sqlite');
  const opened: SqliteStore[] = [];
  afterEach(() => Promise.all(opened.splice(0).map((store) => store.close())));

  const open = (mode?: OpenMode, collections: readonly AnyCollection[] = COLLECTIONS) => {
    const store = SqliteStore.open(folder(), collections, mode);
    opened.push(store);
    return store;
  };
  const closeLast = () => opened.pop()?.close();
  const add = (store: SqliteStore, _id: string) => store.commit([insert(LABELS, aLabel(_id))]);
  const idsIn = (path: string) => {
    const database = new DatabaseSync(path);
    const rows = database.prepare('SELECT _id FROM labels').all() as { _id: string }[];
    database.close();
    return rows.map(({ _id }) => _id);
  };
  const setSchema = (version: number) => {
    const database = new DatabaseSync(file());
    database.exec(`PRAGMA user_version = ${version}`);
    database.close();
  };

  it('is not ready on a full disk, and reports how much space its disk has left', async () => {
    const metrics = new PrometheusMetrics();
    const store = SqliteStore.open(folder(), COLLECTIONS, 'service', metrics);
    opened.push(store);
    await expect(store.ping()).resolves.toBeUndefined();
    expect(await metrics.text()).toMatch(/^license_service_store_disk_free_bytes [1-9]/m);
    const full = { bavail: 100, bsize: 4096 } as fs.StatsFs;
    jest.spyOn(fs.promises, 'statfs').mockResolvedValueOnce(full);
    await expect(store.ping()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  });

  it('has one owner, and tells a second process what to do', async () => {
    open();
    const remedy = 'Stop it or set a different DATA_DIR.';
    expect(() => open()).toThrow(
      new StartupError(`Another process is using the store in ${folder()}. ${remedy}`),
    );
    await closeLast();
    expect(open().database.isOpen).toBe(true);
  });

  it('flushes every commit to a write-ahead log, and never blocks the event loop by waiting', () => {
    const { database } = open();
    const pragmas = ['journal_mode', 'synchronous', 'busy_timeout'].map(
      (name) => database.prepare(`PRAGMA ${name}`).get() as object,
    );
    expect(pragmas).toEqual([{ journal_mode: 'wal' }, { synchronous: 2 }, { timeout: 0 }]);
  });

  it('can be read by other processes, and is a single file once its owner has closed it', async () => {
    const store = open();
    await add(store, 'kept');
    expect(idsIn(file())).toEqual(['kept']);
    expect(await store.count(LABELS, {})).toBe(1);
    await closeLast();
    fs.copyFileSync(file(), folder('copy'));
    expect(idsIn(folder('copy'))).toEqual(['kept']);
  });

  describe('with new declarations', () => {
    const openGrown = (mode: OpenMode) => () => open(mode, [GROWN]);
    beforeEach(async () => {
      await add(open(), 'earlier');
      await closeLast();
    });

    it.each<OpenMode>(['service', 'command'])('is upgraded by a %s', async (mode) => {
      const read = await openGrown(mode)().find(GROWN, { _id: 'earlier' });
      expect(read).toMatchObject({ _id: 'earlier', colour: 'red' });
    });

    it('is not upgraded by a command while the service runs', () => {
      open();
      expect(openGrown('command')).toThrow('Another process is using the store');
    });
  });

  it('explains an invalid folder or damaged file, and releases ownership', () => {
    fs.writeFileSync(folder('a-file'), '');
    for (const name of ['a-file', 'a-file/data']) {
      expect(() => SqliteStore.open(folder(name), COLLECTIONS)).toThrow(
        `The store in ${folder(name)} cannot be opened (E`,
      );
    }
    createStoreFile(file());
    fs.writeFileSync(file(), 'no SQLite', { flag: 'r+' });
    expect(() => open()).toThrow(StartupError);
    expect(() => open()).toThrow(/cannot be opened \(file is not a database\)\. .+ DATA_DIR/);
    fs.rmSync(file());
    expect(open().database.isOpen).toBe(true);
  });

  it.each<[what: string, write: () => void, message: string]>([
    ['empty, as after a failed copy', () => fs.writeFileSync(file(), ''), 'is empty. Restore a'],
    ['text', () => fs.writeFileSync(file(), 'x'.repeat(5_000)), 'is not a store of this service.'],
    ['of another program', () => makeForeign(file()), 'is not a store of this service. Restore a'],
  ])('is rejected and left unchanged if its file is %s', (_what, write, message) => {
    write();
    const before = fs.readFileSync(file());
    for (const mode of ['service', 'command'] as const) {
      expect(() => open(mode)).toThrow(StartupError);
      expect(() => open(mode)).toThrow(message);
    }
    expect(fs.readFileSync(file())).toEqual(before);
  });

  it('counts as new if its first start was killed before creating tables', async () => {
    createStoreFile(file());
    await add(open(), 'kept');
    expect(idsIn(file())).toEqual(['kept']);
    expect(fs.readdirSync(folder()).filter((name) => name.endsWith('.partial'))).toEqual([]);
  });

  it('is rejected if its schema is newer, and releases ownership', async () => {
    open();
    await closeLast();
    setSchema(SCHEMA + 1);
    for (const mode of ['service', 'command'] as const) {
      expect(() => open(mode)).toThrow(
        `The store ${file()} has schema ${SCHEMA + 1} but this program supports ${SCHEMA}. Use the newer version that wrote it.`,
      );
    }
    setSchema(SCHEMA);
    expect(open().database.isOpen).toBe(true);
  });

  describe('keeps a record of a cached collection in memory', () => {
    let store: SqliteStore;
    beforeEach(() => void (store = open('service', [ITEMS])));

    const stored = async () => {
      const item = anItem();
      await store.commit([insert(ITEMS, item)]);
      return (await store.find(ITEMS, { _id: item._id }))!;
    };
    /** Changes a record behind the store's back, which shows whether the store reads it again. */
    const tamper = () => store.database.exec("UPDATE items SET state = 'tampered'");

    it('by each of its keys, until it is changed', async () => {
      const item = await stored();
      tamper();
      expect(await store.find(ITEMS, { code: item.code })).toBe(item);
      expect(await store.find(ITEMS, { name: item.name, shelf: item.shelf })).toBe(item);
      for (const [change, rank] of [
        [increment(ITEMS, item._id, { rank: 4 }), 5],
        [setAll(ITEMS, { code: item.code }, { rank: 7 }), 7],
      ] as const) {
        await store.commit([change]);
        expect(await store.find(ITEMS, { code: item.code })).toMatchObject({ rank });
      }
      const before = (await store.find(ITEMS, { code: item.code }))!;
      await store.commit([replace(ITEMS, before, { ...before, code: 'next' })]);
      expect(await store.find(ITEMS, { code: item.code })).toBeNull();
      expect(await store.find(ITEMS, { code: 'next' })).toMatchObject({ rank: 7 });
    });

    it('until the cache is full, evicting the least recently used', () => {
      const codec = new Codec(ITEMS);
      const cache = new RecordCache(ITEMS.unique, 10_000);
      const add = (length: number) => {
        const item = anItem({ note: { text: 'x'.repeat(length) } });
        cache.set(item, codec.encode(item));
        return item;
      };
      const isKept = ({ _id }: Item) => cache.find(['_id'], { _id }) !== undefined;
      const [first, second] = [add(0), add(0)];
      const others = Array.from({ length: 20 }, () => isKept(first) && add(1_000));
      expect([isKept(first), isKept(second)]).toEqual([true, false]);
      const kept = others.filter((item) => item && isKept(item)).length;
      expect(kept).toBeGreaterThan(1);
      expect(kept).toBeLessThan(9);
      expect(isKept(add(10_000))).toBe(false);
    });
  });
});

function makeForeign(file: string): void {
  const database = new DatabaseSync(file);
  database.exec('CREATE TABLE songs (title TEXT)');
  database.close();
}
