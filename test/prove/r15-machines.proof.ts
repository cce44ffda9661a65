import { contradictionsIn } from '../contradictions.js';
import { NO_LIMITS } from '../no-limits.js';
import { withStore } from '../with-store.js';
import { ServiceClock } from './clock/service-clock.js';
import { withOperator } from './processes.js';
import { prove, SOME_ENGINES } from './prove.js';
import { race, SPEED } from './seats/race.js';

prove('R15', SOME_ENGINES, (engine) => {
  const clock = new ServiceClock(SPEED);
  const env = { ...NO_LIMITS, LOG_LEVEL: 'silent', ...clock.env };
  return withOperator(engine, env, async (operator, store) => {
    const contradictions = () => withStore(store, contradictionsIn);
    return race({ instances: [await operator.start()], clock, contradictions });
  });
});
