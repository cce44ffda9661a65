import { Random } from '../../random.js';
import { IS_FULL, timesInScope } from '../../scope.js';
import { compareWithModel } from '../compare-with-model.js';
import { engines } from '../engines.js';
import { ModelStore } from '../model-store.js';
import { settingsOf, useInstances } from '../use-instances.js';

const STEPS = 80;
/** Each number of instances has its own. */
const seedsOf = (instances: number) =>
  Array.from({ length: timesInScope(3) }, (_, index) => 10 * instances + index);
/** By default, MongoDB with several instances alone: so some commits share a transaction, and some do not. */
const SETTINGS = settingsOf(engines).filter(
  ({ engine, count }) => IS_FULL || count === engine.instances.at(-1),
);

describe.each(SETTINGS)('random commits and reads on $name', ({ engine, count }) => {
  const { stores } = useInstances(engine, count);

  it.each(seedsOf(count))('have the outcomes of the model, with seed %d', (seed) =>
    compareWithModel(stores, new ModelStore(), new Random(seed), STEPS),
  );
});
