import { anItem, aShelf, ITEMS, LABELS, SHELVES } from '../../../../test/contract/records.js';
import { Exposition } from '../../../../test/exposition.js';
import { useFolder } from '../../../../test/use-folder.js';
import { PrometheusMetrics } from '../../../shared/metrics/prometheus-metrics.js';
import { increment, insert, remove, removeAll, replace, setAll, touch } from '../../changes.js';
import { SqliteStore } from './sqlite-store.js';

describe('SqliteStore', () => {
  const folder = useFolder();
  let metrics: PrometheusMetrics;
  let store: SqliteStore;

  beforeEach(() => {
    metrics = new PrometheusMetrics();
    store = SqliteStore.open(folder(), [ITEMS, SHELVES], 'service', metrics);
  });
  afterEach(() => store.close());

  const stored = async (fields = {}) => {
    const item = anItem(fields);
    await store.commit([insert(ITEMS, item)]);
    return (await store.find(ITEMS, { _id: item._id }))!;
  };
  /** Changes a record behind the back of the store, which shows whether it reads it. */
  const tamper = () => store.database.exec("UPDATE items SET state = 'tampered'");

  describe('keeps a record of a cached collection in memory', () => {
    it('once it was read by any key', async () => {
      const item = await stored();
      tamper();
      expect(await store.find(ITEMS, { code: item.code })).toBe(item);
      expect(await store.find(ITEMS, { name: item.name, shelf: item.shelf })).toBe(item);
    });

    it('as it was replaced and incremented', async () => {
      const item = await stored();
      await store.commit([replace(ITEMS, item, { ...item, code: 'next' })]);
      await store.commit([increment(ITEMS, item._id, { rank: 4 })]);
      tamper();
      const found = await store.find(ITEMS, { code: 'next' });
      expect(found).toMatchObject({ code: 'next', rank: 5, state: 'new' });
      expect(await store.find(ITEMS, { code: item.code })).toBeNull();
      expect(await store.commit([remove(ITEMS, found!)])).toMatchObject({ ok: true });
    });

    it('until it is changed with others, or removed', async () => {
      const [set, dropped, removed] = [await stored(), await stored(), await stored()];
      await store.commit([
        setAll(ITEMS, { code: set.code }, { rank: 9 }),
        removeAll(ITEMS, { code: dropped.code }),
        remove(ITEMS, removed),
      ]);
      expect(await store.find(ITEMS, { code: set.code })).toMatchObject({ rank: 9 });
      expect(await store.find(ITEMS, { code: dropped.code })).toBeNull();
      expect(await store.find(ITEMS, { code: removed.code })).toBeNull();
    });

    it('unless its commit fails', async () => {
      const item = await stored();
      const failing = touch(SHELVES, item._id);
      const changes = [replace(ITEMS, item, { ...item, rank: 9 }), failing];
      expect(await store.commit(changes)).toEqual({ ok: false, failed: failing });
      expect(await store.find(ITEMS, { _id: item._id })).toBe(item);
    });

    it('unless another process may change it', async () => {
      const tool = SqliteStore.open(folder(), [ITEMS, SHELVES], 'tool');
      const item = await stored();
      await tool.find(ITEMS, { code: item.code });
      tamper();
      expect(await tool.find(ITEMS, { code: item.code })).toMatchObject({ state: 'tampered' });
      await tool.close();
    });
  });

  it('reads no record that is not committed', async () => {
    const shelf = aShelf();
    await store.commit([insert(SHELVES, shelf)]);
    const commits = Array.from({ length: 20 }, () => store.commit([touch(SHELVES, shelf._id)]));
    const seen = await Promise.all(
      commits.map(async (commit) => {
        await commit;
        const [found, [listed]] = [
          await store.find(SHELVES, { _id: shelf._id }),
          await store.list(SHELVES, {}, { by: '_id', direction: 'asc' }, { limit: 1 }),
        ];
        return [found!.version, listed!.version];
      }),
    );
    expect(new Set(seen.flat()).size).toBe(1);
  });

  it('rejects a collection that it was opened without', async () => {
    await expect(store.find(LABELS, { _id: 'a' })).rejects.toThrow('opened without labels');
    await expect(store.count(LABELS, {})).rejects.toThrow('opened without labels');
    await expect(store.commit([removeAll(LABELS, {})])).rejects.toThrow('opened without labels');
  });

  it('rejects all that is asked of it once it is closed', async () => {
    await stored();
    await store.close();
    await expect(store.find(SHELVES, { _id: 'a' })).rejects.toThrow();
    await expect(store.count(ITEMS, {})).rejects.toThrow('closed');
    await expect(store.commit([removeAll(ITEMS, {})])).rejects.toThrow();
    await expect(store.ping()).rejects.toThrow();
    store = SqliteStore.open(folder(), [ITEMS]);
    await expect(store.ping()).resolves.toBeUndefined();
  });

  it('measures reads, writes and commits', async () => {
    await Promise.all([stored(), stored()]);
    await store.count(ITEMS, {});
    const exposition = new Exposition(await metrics.text());
    const durations = 'license_service_store_operation_duration_seconds_count';
    for (const [operation, count] of Object.entries({ read: 1, write: 2, commit: 1 })) {
      const labels = { engine: 'sqlite', operation };
      expect([operation, exposition.valueOf(durations, labels)]).toEqual([operation, count]);
    }
    expect(exposition.metrics).toContain('license_service_sqlite_waiting_reads');
    expect(exposition.metrics).toContain('license_service_sqlite_waiting_writes');
  });
});
