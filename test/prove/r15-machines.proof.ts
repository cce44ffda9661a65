import { raceForPlaces } from './race-for-places.js';
import { prove, SOME_ENGINES } from './prove.js';
import { withService } from './with-service.js';

describe.each(SOME_ENGINES)('%s', (engine) => {
  prove('R15', engine, () =>
    withService(engine, { LOG_LEVEL: 'silent' }, (service) => raceForPlaces([service])),
  );
});
