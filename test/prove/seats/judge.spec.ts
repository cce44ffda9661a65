import { MIN_LEASE } from '../../../src/machines/machine.js';
import { ServiceClock } from '../clock/service-clock.js';
import { type Call, type Change, type History, initial, Judge, NEVER } from './judge.js';

/** A lease of 300 s takes 1,000 ms. */
const CLOCK = new ServiceClock(300);

const call = (kind: Call['kind'], sent: number, outcome: string, fields: Partial<Call> = {}) => ({
  ...{ kind, sent, received: sent + 10, outcome, leaseEndsAt: null },
  ...fields,
});

/** A response that the machine holds a seat, for a lease that starts when the request is sent. */
const seat = (sent: number, kind: Call['kind'] = 'activation', fields: Partial<Call> = {}) =>
  call(kind, sent, 'seat', { leaseEndsAt: CLOCK.at(sent + 1_000), ...fields });

const WITHOUT_END = { leaseEndsAt: null };
const released = (sent: number) => call('release', sent, 'released');
const change = <T>(to: T, sent: number): Change<T> => ({ to, sent, received: sent + 10 });

/** A license with one seat, and these machines. */
const one = (...machines: Call[][]): History => ({
  machines,
  maxMachines: [initial(1)],
  leaseSeconds: [initial<number | null>(MIN_LEASE)],
  revocation: NEVER,
});

const seats = (...changes: Change<number>[]): History => ({
  ...one([seat(0)], [seat(100)]),
  maxMachines: [initial(1), ...changes],
});

/** Everything the service may do: a seat changes hands once it may be free, and another is added. */
const RIGHT = [
  one([seat(0)], [seat(995)]),
  one([seat(0), released(500), seat(700), seat(800, 'validation')], [seat(505), released(600)]),
  seats(change(2, 105)),
];

it.each(RIGHT)('accepts any history that may be correct', (history) => {
  expect(new Judge(history, CLOCK).failures()).toEqual([]);
});

// A judge that finds too much fails the proof itself.
it.each<[name: string, history: History]>([
  ['a seat that two machines hold', one([seat(0)], [seat(900)])],
  ['a seat that a heartbeat extended', one([seat(0), seat(900, 'heartbeat')], [seat(1_100)])],
  ['a second seat after it was removed', seats(change(2, 20), change(1, 60))],
  ['a removed seat although both are held', seats(change(2, 20), change(1, 200))],
  [
    'a perpetual seat taken by another machine',
    {
      ...one([seat(20, 'activation', WITHOUT_END)], [seat(5_000, 'activation', WITHOUT_END)]),
      leaseSeconds: [initial(null)],
    },
  ],
  [
    'a rejected heartbeat from a seat holder',
    one([seat(0), call('heartbeat', 500, 'MACHINE_LIMIT_REACHED')]),
  ],
  ['a released machine that is active', one([seat(0), released(500), seat(600, 'validation')])],
  ['a lease that is too short', one([seat(0, 'activation', { leaseEndsAt: CLOCK.at(940) })])],
  ['a license that lacks its leases', one([call('heartbeat', 0, 'LICENSE_HAS_NO_LEASES')])],
  [
    'a machine still active after the revocation',
    { ...one([seat(0), seat(120, 'validation')]), revocation: { sent: 100, received: 110 } },
  ],
  ['a revocation that nobody has sent', one([call('validation', 0, 'revoked')])],
])('finds %s', (_name, history) => {
  expect(new Judge(history, CLOCK).failures()).toHaveLength(1);
});
