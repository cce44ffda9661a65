import type { Engine } from '../../test/engines.js';
import { ServiceClock } from '../../test/prove/clock/service-clock.js';
import { times } from '../../test/prove/prove.js';
import { byMachine, EXPECTED, load, type Operation } from '../load.js';
import { atMost, compare, ratio, type Row } from './row.js';
import { fill, onStore, ROUNDS, SECONDS } from './runs.js';

const MACHINES = times({ short: 96, long: 992 });
/** Delay from the activations to the heartbeats in milliseconds, so that each heartbeat moves the end of its lease. */
const LATER = 60_000;
const TERMS = { leaseSeconds: 300, maxMachines: 1_000_000 };

/** A machine with a seat sends the first two, a new one the others. The value is the maximum slowdown. */
const OPERATIONS = [
  { operation: 'validate', isNew: false, most: 1.2 },
  { operation: 'validate/heartbeat', isNew: false, most: 1.2 },
  { operation: 'validate/activate', isNew: true, most: 2 },
  { operation: 'validate/release', isNew: true, most: 2 },
] as const;

/** Milliseconds per request, one at a time: a license with many machines compared with many licenses with one. */
export const machines = (engine: Engine): Promise<Row[]> =>
  onStore(engine, async (operator) => {
    const filled = await operator.start();
    const { keys } = await fill(filled, MACHINES + 1, TERMS);
    const [many, ...single] = keys as [string, ...string[]];
    const requestsOf = (operation: Operation, isNew: boolean) => [
      single.map((_, i) => byMachine(operation, many, isNew ? MACHINES + i : i)),
      single.map((key) => byMachine(operation, key, Number(isNew))),
    ];
    const requests = requestsOf('validate/activate', false).flat();
    const expected = EXPECTED['validate/activate'];
    await load({ url: filled.url, connections: 32, requests, expected });
    await filled.end('SIGTERM');
    const { url } = await operator.start(new ServiceClock(1, LATER).env);
    const each = Math.floor(MACHINES / (ROUNDS + 1));
    const rows: Row[] = [];
    for (const { operation, isNew, most } of OPERATIONS) {
      // Only validations can be repeated.
      const isRead = operation === 'validate';
      const job = { url, connections: 1, expected: EXPECTED[operation] };
      const [ofMany, ofSingle] = requestsOf(operation, isNew).map(
        (all) => async (round: number) => {
          const part = isRead ? all : all.slice(round * each, (round + 1) * each);
          return (await load({ ...job, requests: part, seconds: isRead ? SECONDS : undefined }))
            .p50;
        },
      );
      const measured = `POST /${operation}, ${engine}, ms, license of ${MACHINES} machines`;
      const result = await compare(ofMany!, ofSingle!);
      rows.push(ratio(measured, 'of one machine', atMost(most), result));
    }
    return rows;
  });
