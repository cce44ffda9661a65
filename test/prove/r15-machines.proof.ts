import { contradictionsIn } from '../contradictions.js';
import { NO_LIMITS } from '../no-limits.js';
import { withStore } from '../with-store.js';
import { ServiceClock } from './clock/service-clock.js';
import { withOperator, withService } from './processes.js';
import { prove, SOME_ENGINES, together } from './prove.js';
import { raceForSeats } from './race-for-seats.js';
import { raceWithLeases, SPEED } from './seats/lease-race.js';

const ENV = { ...NO_LIMITS, LOG_LEVEL: 'silent' };

prove('R15', SOME_ENGINES, async (engine) => {
  const race = await withService(engine, ENV, (service) => raceForSeats([service]));
  const clock = new ServiceClock(SPEED);
  const withLeases = await withOperator(engine, { ...ENV, ...clock.env }, async (operator, store) =>
    raceWithLeases({
      instances: [await operator.start()],
      clock,
      contradictions: () => withStore(store, contradictionsIn),
    }),
  );
  return together(race, withLeases);
});
