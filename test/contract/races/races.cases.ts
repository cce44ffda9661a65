import type { Config } from '../../../src/shared/config/config.js';
import { insert, replace } from '../../../src/storage/changes.js';
import { type Decide, Decisions } from '../../../src/storage/decisions.js';
import { IdempotencyQuota } from '../../../src/storage/idempotency-quota.js';
import type { WritableStore } from '../../../src/storage/writable-store.js';
import { Random } from '../../random.js';
import { IS_FULL } from '../../scope.js';
import { compareWithModel } from '../compare-with-model.js';
import { engines, stores } from '../engines.js';
import { ModelStore } from '../model-store.js';
import { settingsOf, useInstances } from '../use-store.js';
import { anIdempotencyRecord, at } from '../../builders.js';
import { FakeClock } from '../../fake-clock.js';
import { NO_QUOTAS } from '../../no-limits.js';
import { anItem, aShelf, ITEMS, SHELVES } from '../records.js';
import { NO_EFFECTS } from '../../no-effects.js';

const STEPS = 80;
/** Each number of instances has its own. One seed draws too few races over the counters of a shelf. */
const seedsOf = (instances: number) =>
  Array.from({ length: IS_FULL ? 8 : 2 }, (_, index) => 10 * instances + index);

describe.each(settingsOf(engines))('random commits and reads on $name', ({ engine, count }) => {
  const { stores } = useInstances(engine, count);

  it.each(seedsOf(count))('have the outcomes of the model, with seed %d', (seed) =>
    compareWithModel(stores, new ModelStore(), new Random(seed), STEPS),
  );
});

describe.each(settingsOf(stores))('concurrent decisions on $name', ({ engine, count }) => {
  const { store, stores: instances, atOnce } = useInstances(engine, count);
  const clock = new FakeClock();
  const shelf = aShelf();
  const decisionsOf = new Map(
    instances.map((of) => {
      const quota = new IdempotencyQuota(of, { quotas: NO_QUOTAS } as Config);
      return [of, new Decisions(of, NO_EFFECTS, quota, clock)] as const;
    }),
  );
  const decisions = (of: WritableStore) => decisionsOf.get(of)!;
  beforeEach(async () => {
    clock.set(at(0).toISOString());
    await store.commit([insert(SHELVES, shelf)]);
  });

  const find = async (of = store) => (await of.find(SHELVES, { _id: shelf._id }))!;

  /** Adds an item by a read and a replacement, which conflicts with every other one. */
  const addingTo =
    (of: WritableStore): Decide<{ readonly items: number; readonly at: Date }> =>
    async () => {
      const before = await find(of);
      const items = before.items + 1;
      return {
        result: { items, at: clock.now() },
        changes: [
          replace(SHELVES, before, { ...before, items }),
          insert(ITEMS, anItem({ rank: items })),
        ],
      };
    };

  it('of 50 repeats of one request are made once, and once again after the result has expired', async () => {
    const first = anIdempotencyRecord({ createdAt: at(0), expiresAt: at(60) });
    const again = { ...first, requestHash: 'another', createdAt: at(60), expiresAt: at(120) };
    for (const [items, idempotency] of [first, again].entries()) {
      clock.set(idempotency.createdAt.toISOString());
      const results = await atOnce(50, (instance) =>
        decisions(instance).run(addingTo(instance), { idempotency }),
      );
      const result = { items: items + 1, at: clock.now() };
      expect(results).toStrictEqual(results.map(() => result));
      clock.advance({ seconds: 3_599 });
      const late = await decisions(store).run(addingTo(store), { idempotency });
      expect(late).toStrictEqual(result);
      expect(await find()).toMatchObject({ items: result.items });
      expect(await store.count(ITEMS, {})).toBe(result.items);
    }
  });
});
