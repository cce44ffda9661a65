import { type Outcome, together } from '../prove.js';
import { type Raced, raceWithLeases } from './lease-race.js';
import { raceForSeats } from './seat-race.js';

/** R15: no race passes the limit of machines, whether seats are released, leases end or the vendor changes both. */
export const race = async (raced: Raced): Promise<Outcome> =>
  together(await raceForSeats(raced), await raceWithLeases(raced));
