import { contradictionsIn } from '../contradictions.js';
import type { Engine } from '../engines.js';
import { NO_LIMITS } from '../no-limits.js';
import { withStore } from '../with-store.js';
import { ServiceClock } from './clock/service-clock.js';
import { withOperator } from './processes.js';
import { type Outcome, prove, SOME_ENGINES } from './prove.js';
import { MANY_SEATS, ONE_SEAT, race, type Rules, SPEED } from './seats/race.js';

prove('R3', SOME_ENGINES, (engine) => raceOn(engine, ONE_SEAT));
prove('R15', SOME_ENGINES, (engine) => raceOn(engine, MANY_SEATS));

function raceOn(engine: Engine, rules: Rules): Promise<Outcome> {
  const clock = new ServiceClock(SPEED);
  const env = { ...NO_LIMITS, LOG_LEVEL: 'silent', ...clock.env };
  return withOperator(engine, env, async (operator, store) => {
    const contradictions = () => withStore(store, contradictionsIn);
    return race({ instances: [await operator.start()], clock, contradictions }, rules);
  });
}
