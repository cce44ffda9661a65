import { EVERY_ENGINE } from '../engines.js';
import { raceForPlaces } from './machines/race-for-places.js';
import { prove } from './prove.js';
import { withService } from './with-service.js';

describe.each(EVERY_ENGINE)('%s', (engine) => {
  prove('R15', engine, () =>
    withService(engine, { LOG_LEVEL: 'silent' }, (service) => raceForPlaces([service])),
  );
});
