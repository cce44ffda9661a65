import { raceForSeats } from './race-for-seats.js';
import { prove, SOME_ENGINES } from './prove.js';
import { withService } from './processes.js';

prove('R15', SOME_ENGINES, (engine) =>
  withService(engine, { LOG_LEVEL: 'silent' }, (service) => raceForSeats([service])),
);
