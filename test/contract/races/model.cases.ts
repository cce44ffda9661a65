import { Random } from '../../random.js';
import { IS_FULL, timesInScope } from '../../scope.js';
import { compareWithModel } from '../compare-with-model.js';
import { engines } from '../engines.js';
import { ModelStore } from '../model-store.js';
import { settingsOf, useInstances } from '../use-instances.js';

const SEEDS = Array.from({ length: timesInScope(10) }, (_, index) => index + 1);
const STEPS = IS_FULL ? 200 : 60;
/** By default, MongoDB with two instances alone: so some commits share a transaction, and some do not. */
const SETTINGS = settingsOf(engines).filter(
  ({ engine, count }) => IS_FULL || engine.instances.length === 1 || count === 2,
);

describe.each(SETTINGS)('random commits and reads on $name', ({ engine, count }) => {
  const { stores } = useInstances(engine, count);

  it.each(SEEDS)('have the outcomes of the model, with seed %d', (seed) =>
    compareWithModel(stores, new ModelStore(), new Random(seed), STEPS),
  );
});
