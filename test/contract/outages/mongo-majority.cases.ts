import { setTimeout } from 'node:timers/promises';
import { type Change, insert, touch } from '../../../src/storage/changes.js';
import { describeOnMongo } from '../../engines.js';
import { anItem, aShelf, ITEMS, SHELVES } from '../records.js';
import { useOwnMongod } from '../use-own-mongod.js';

describeOnMongo('a write that no majority has yet', () => {
  const { mongod, opened, store } = useOwnMongod();

  /** While they are off, a write is on the primary, and neither acknowledged nor found by other reads. */
  const turnSnapshots = (state: 'on' | 'off') =>
    mongod.command({
      configureFailPoint: 'disableSnapshotting',
      mode: state === 'off' ? 'alwaysOn' : 'off',
    });

  const shelf = aShelf();
  beforeAll(() => store.commit([insert(SHELVES, shelf)]));

  it.each<[string, Change[]]>([
    ['one change', []],
    ['several changes', [touch(SHELVES, shelf._id)]],
  ])('is found by another instance after its commit of %s has failed for it', async (_of, more) => {
    const other = await opened.join();
    const code = `code ${more.length}`;
    const isOnPrimary = async () =>
      opened.collection('items').findOne({ code }, { readConcern: { level: 'local' } });
    await turnSnapshots('off');
    try {
      const first = store.commit([insert(ITEMS, anItem({ code })), ...more]);
      while (!(await isOnPrimary())) await setTimeout(1);
      const found = other.store
        .commit([insert(ITEMS, anItem({ code })), ...more])
        .then(async ({ ok }) => !ok && (await other.store.find(ITEMS, { code })));
      // The second one has long met the record by then.
      for (let time = 0; time < 20; time += 1) await isOnPrimary();
      expect(await opened.collection('items').findOne({ code })).toBeNull();
      await turnSnapshots('on');
      expect(await found).toMatchObject({ code });
      expect(await first).toMatchObject({ ok: true });
    } finally {
      await turnSnapshots('on');
      await other.leave();
    }
  });
});
