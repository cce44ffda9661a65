import { Random } from '../random.js';
import { IS_FULL } from '../scope.js';
import { compareWithModel } from './compare-with-model.js';
import { engines } from './engines.js';
import { ModelStore } from './model-store.js';
import { useInstances } from './use-store.js';

const STEPS = IS_FULL ? 80 : 40;
/** Seeds per number of instances. A single seed rarely makes commits race for the same shelf's counters. */
const seedsOf = (instances: number) =>
  Array.from({ length: IS_FULL ? 4 : 2 }, (_, index) => 10 * instances + index);

const SETTINGS = engines.flatMap((engine) =>
  engine.instances.map((count) => ({ name: `${count} × ${engine.name}`, engine, count })),
);

describe.each(SETTINGS)('random commits and reads on $name', ({ engine, count }) => {
  const { stores } = useInstances(engine, count);

  it.each(seedsOf(count))('match the model, with seed %d', (seed) =>
    compareWithModel(stores, new ModelStore(), new Random(seed), STEPS),
  );
});
