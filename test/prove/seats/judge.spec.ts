import { MIN_LEASE } from '../../../src/machines/machine.js';
import { ServiceClock } from '../clock/service-clock.js';
import { type Call, type Change, type History, initial, NEVER } from './history.js';
import { Judge } from './judge.js';

/** A lease of 300 s takes 1,000 ms. */
const CLOCK = new ServiceClock(300);
const LEASE = 1_000;

const call = (kind: Call['kind'], sent: number, received: number, outcome: string): Call => {
  const none = { leaseEndsAt: null, isCertified: false, seats: null };
  return { kind, sent, received, outcome, ...none, times: 1 };
};

/** A response that the machine holds a seat, for a lease that begins when the request is sent. */
const seat = (
  sent: number,
  kind: Call['kind'] = 'activation',
  fields: Partial<Call> = {},
): Call => {
  const leaseEndsAt = CLOCK.at(sent + LEASE);
  return { ...call(kind, sent, sent + 10, 'seat'), leaseEndsAt, ...fields };
};

const released = (sent: number) => call('release', sent, sent + 10, 'released');
const change = <T>(to: T, sent: number): Change<T> => ({ to, sent, received: sent + 10 });

/** A license with one seat, and these machines. */
const one = (...machines: Call[][]): History => ({
  machines,
  maxMachines: [initial(1)],
  leaseSeconds: [initial<number | null>(MIN_LEASE)],
  revocation: NEVER,
});

const leases = (...changes: Change<number | null>[]): Partial<History> => ({
  leaseSeconds: [...one().leaseSeconds, ...changes],
});
const seats = (...changes: Change<number>[]): Partial<History> => ({
  maxMachines: [...one().maxMachines, ...changes],
});

const withoutEnd = (sent: number) => seat(sent, 'activation', { leaseEndsAt: null });
const certified = (sent: number) => seat(sent, 'activation', { isCertified: true });
const rejected = (sent: number, kind: Call['kind'] = 'heartbeat') =>
  call(kind, sent, sent + 10, 'MACHINE_LIMIT_REACHED');

const HISTORIES: [name: string, isRight: boolean, history: History][] = [
  ['a seat that another machine takes once the lease has ended', true, one([seat(0)], [seat(995)])],
  ['a seat that two machines hold', false, one([seat(0)], [seat(900)])],
  [
    'a seat that another machine takes once it is released',
    true,
    one([seat(0), released(500)], [seat(505)]),
  ],
  [
    'a seat whose lease a heartbeat has extended',
    false,
    one([seat(0), seat(900, 'heartbeat')], [seat(1_100)]),
  ],
  [
    'a second seat while it may have been added',
    true,
    { ...one([seat(0)], [seat(100)]), ...seats(change(2, 105)) },
  ],
  [
    'a second seat after it was removed',
    false,
    { ...one([seat(0)], [seat(100)]), ...seats(change(2, 20), change(1, 60)) },
  ],
  [
    'a second seat that is removed although both are held',
    false,
    { ...one([seat(0)], [seat(100)]), ...seats(change(2, 20), change(1, 200)) },
  ],
  [
    'a seat without an end that another machine takes',
    false,
    { ...one([withoutEnd(20)], [withoutEnd(5_000)]), ...leases(change(null, 0)) },
  ],
  [
    'a seat without an end that another machine takes a lease after leases were set',
    true,
    {
      ...one([withoutEnd(20)], [seat(5_000)]),
      ...leases(change(null, 0), change(MIN_LEASE, 3_990)),
    },
  ],
  [
    'a certified seat that another machine takes once it is released',
    false,
    one([certified(0), released(500)], [seat(600)]),
  ],
  [
    'a seat that was certified for an earlier lease, and is released',
    true,
    {
      ...one([certified(0), released(500)], [seat(600)]),
      ...leases(change(null, 100), change(MIN_LEASE, 200)),
    },
  ],
  [
    'a heartbeat that is rejected while its machine holds a seat',
    false,
    one([seat(0), rejected(500)]),
  ],
  [
    'a heartbeat that is rejected once the lease may have ended',
    true,
    one([seat(0), rejected(995)]),
  ],
  [
    'a validation of a released machine that is active',
    false,
    one([seat(0), released(500), seat(600, 'validation')]),
  ],
  [
    'a validation of a machine that was released and has taken a seat again',
    true,
    one([seat(0), released(500), seat(600), seat(700, 'validation')]),
  ],
  [
    'a lease that is shorter than the license says',
    false,
    one([seat(0, 'activation', { leaseEndsAt: CLOCK.at(940) })]),
  ],
  ['a lease without an end of a license with leases', false, one([withoutEnd(0)])],
  [
    'a heartbeat that finds no leases',
    false,
    one([call('heartbeat', 0, 10, 'LICENSE_HAS_NO_LEASES')]),
  ],
  [
    'a validation that is active, begun before the revocation was acknowledged',
    true,
    { ...one([seat(0), seat(105, 'validation')]), revocation: { sent: 100, received: 110 } },
  ],
  [
    'a validation that is active after the revocation',
    false,
    { ...one([seat(0), seat(120, 'validation')]), revocation: { sent: 100, received: 110 } },
  ],
  [
    'a rejection that tells of more seats than there are',
    false,
    one([{ ...rejected(0), seats: { used: 2, max: 1 } }]),
  ],
  [
    'a release by the vendor, after the revocation, of a machine whose lease has ended',
    true,
    {
      ...one([seat(0), call('release', 1_000, 1_010, 'MACHINE_NOT_FOUND')]),
      revocation: { sent: 100, received: 110 },
    },
  ],
  ['a revocation that nobody has sent', false, one([call('validation', 0, 10, 'revoked')])],
];

it.each(HISTORIES)('finds %s right: %s', (_name, isRight, history) => {
  expect(new Judge(history, CLOCK).failures()).toHaveLength(isRight ? 0 : 1);
});

it('counts the seats that were taken at the same time, and the heartbeats of machines that held one', () => {
  const beats = [seat(500, 'heartbeat', { times: 2 }), seat(700, 'heartbeat')];
  const judge = new Judge(one([seat(0), ...beats], [seat(100), released(200)]), CLOCK);
  expect(judge.most).toBe(2);
  expect(judge.heartbeats).toEqual({ sent: 2, repeated: 1 });
});
