import type { Engine } from '../../test/engines.js';
import { ServiceClock } from '../../test/prove/clock/service-clock.js';
import { times } from '../../test/prove/prove.js';
import { byMachine, EXPECTED, load, type Operation } from '../load.js';
import { compare } from '../statistics.js';
import { atMost, ratio, type Row } from './row.js';
import { fill, onStore, ROUNDS, SECONDS } from './runs.js';

const MACHINES = times({ short: 96, long: 992 });
const TERMS = { leaseSeconds: 300, maxMachines: 1_000_000 };
/** From the activations on, in milliseconds: each heartbeat moves the end of its lease. */
const LATER = 60_000;

/** A machine with a seat sends the first two, and a new one the others. At most so much longer may they take. */
const OPERATIONS = [
  { operation: 'validate', isNew: false, most: 1.2 },
  { operation: 'validate/heartbeat', isNew: false, most: 1.2 },
  { operation: 'validate/activate', isNew: true, most: 2 },
  { operation: 'validate/release', isNew: true, most: 2 },
] as const;

const fingerprintOf = (machine: number) => `fingerprint-of-machine-${machine}`;

/** Milliseconds of a request, one at a time: of a license with many machines, against as many licenses with one. */
export const machines = (engine: Engine): Promise<Row[]> =>
  onStore(engine, async (operator) => {
    const filled = await operator.start();
    const [many, ...single] = (await fill(filled, MACHINES + 1, TERMS)).keys as [
      string,
      ...string[],
    ];
    const requestsOf = (operation: Operation, isNew: boolean) => [
      single.map((_, i) => byMachine(operation, many, fingerprintOf(isNew ? MACHINES + i : i))),
      single.map((key) => byMachine(operation, key, fingerprintOf(Number(isNew)))),
    ];
    const requests = requestsOf('validate/activate', false).flat();
    const expected = EXPECTED['validate/activate'];
    await load({ url: filled.url, connections: 32, requests, expected });
    await filled.end('SIGTERM');
    const { url } = await operator.start(new ServiceClock(1, LATER).env);
    const each = Math.floor(MACHINES / (ROUNDS + 1));
    const rows: Row[] = [];
    for (const { operation, isNew, most } of OPERATIONS) {
      const [ofMany, ofSingle] = requestsOf(operation, isNew).map(
        (all) => async (round: number) => {
          const job = { url, connections: 1, expected: EXPECTED[operation] };
          // Only a validation may be repeated.
          const isRead = operation === 'validate';
          const requests = isRead ? all : all.slice(round * each, (round + 1) * each);
          return (await load({ ...job, requests, seconds: isRead ? SECONDS : undefined })).p50;
        },
      );
      const result = await compare(ROUNDS, ofMany!, ofSingle!);
      const measured = `POST /${operation}, ${engine}, ms, license of ${MACHINES} machines`;
      rows.push(ratio(measured, 'of one machine', atMost(most), result));
    }
    return rows;
  });
