import { contradictionsIn } from '../contradictions.js';
import { NO_LIMITS } from '../no-limits.js';
import type { Operator } from '../smoke/operator.js';
import { withStore } from '../with-store.js';
import {
  addCustomer,
  whileCustomerValidates,
  customerFailures,
  loadFailures,
  shown,
} from './abuse/measure.js';
import { ServiceClock } from './clock/service-clock.js';
import { addMachines, fingerprintOf } from './many-machines/add-machines.js';
import { onTheWire, sendLoad } from './overload/load.js';
import { withOperator } from './processes.js';
import { type Outcome, prove, SOME_ENGINES, times } from './prove.js';

/** A license with leases of five minutes, whose machines send a heartbeat every minute. */
const OFTEN = { machines: 1_000, leaseSeconds: 300, every: 60 };
/** One with many machines, which send a heartbeat every ten minutes. */
const RARELY = {
  machines: times({ short: 2_000, long: 10_000 }),
  leaseSeconds: 1_800,
  every: 600,
};
const SECONDS = times({ short: 3, long: 60 });

/** Concurrent heartbeats of one license. */
const CONCURRENT = 300;
/** Machines that send heartbeats after an outage, within these seconds; it outlasts all leases, in milliseconds. */
const RETURNING = times({ short: 200, long: OFTEN.machines });
const WITHIN = times({ short: 2, long: 10 });
const OUTAGE = 3_600_000;

/** In milliseconds: maximum p99 of heartbeats and of the customer, and the slowest concurrent heartbeat. */
const LONGEST = { heartbeats: 100, customer: 50, concurrent: 3_000 };

/** The networks that the machines' addresses belong to. */
const [NETWORK_OFTEN, NETWORK_RARELY] = [11, 12];

prove('R16', SOME_ENGINES, (engine) =>
  withOperator(engine, { LOG_LEVEL: 'silent', SHUTDOWN_DRAIN: '0' }, proveOn),
);

async function proveOn(operator: Operator, env: NodeJS.ProcessEnv): Promise<Outcome> {
  const first = await operator.start(NO_LIMITS);
  const keys = await addCustomer(first);
  const vendor = await first.register();
  const { project } = await first.createLicense(vendor);
  const add = ({ machines: maxMachines, leaseSeconds }: typeof OFTEN) =>
    first.addLicense(vendor, project, { maxMachines, leaseSeconds });
  const [often, rarely] = [await add(OFTEN), await add(RARELY)];
  await first.end('SIGTERM');
  await addMachines(env, [
    { license: often._id, count: OFTEN.machines, ago: OFTEN.every },
    { license: rarely._id, count: RARELY.machines, ago: RARELY.every },
  ]);

  const service = await operator.start();
  const ofOften = { key: often.key, network: NETWORK_OFTEN, first: 0 };
  const ofRarely = { key: rarely.key, network: NETWORK_RARELY, first: 0 };
  /** Machines that are due in this time. */
  const due = (of: typeof ofOften, { machines, every }: typeof OFTEN): Beating => ({
    ...of,
    count: Math.round((machines * SECONDS) / every),
  });
  const measured = await whileCustomerValidates({ service, seconds: SECONDS, keys }, () =>
    Promise.all([
      sendBeats(service.url, due(ofOften, OFTEN), SECONDS),
      sendBeats(service.url, due(ofRarely, RARELY), SECONDS),
    ]),
  );
  // Heartbeats not due for a long time, so each one moves the end of a lease.
  const idle = { ...ofRarely, first: RARELY.machines - CONCURRENT, count: CONCURRENT };
  const concurrent = await sendConcurrently(service.url, idle);
  await service.end('SIGTERM');

  const again = await operator.start(new ServiceClock(1, OUTAGE).env);
  const returned = await sendBeats(again.url, { ...ofOften, count: RETURNING }, WITHIN);
  const contradictions = await withStore(env, contradictionsIn);

  const { validations, result } = measured;
  const [oftenBeats, rarelyBeats] = result;
  return {
    figures: {
      [`heartbeats of ${OFTEN.machines} machines`]: shown(oftenBeats),
      [`heartbeats of ${RARELY.machines} machines`]: shown(rarelyBeats),
      validations: shown(validations),
      [`${CONCURRENT} concurrent heartbeats`]: `slowest ${concurrent.slowest} ms`,
      [`${RETURNING} heartbeats after an outage`]: shown(returned),
    },
    failures: [
      ...loadFailures('frequent heartbeats', oftenBeats, oftenBeats.p99, LONGEST.heartbeats),
      ...loadFailures('rare heartbeats', rarelyBeats, rarelyBeats.p99, LONGEST.heartbeats),
      ...loadFailures('concurrent heartbeats', concurrent, concurrent.slowest, LONGEST.concurrent),
      ...loadFailures('heartbeats after the outage', returned),
      ...customerFailures(measured, LONGEST.customer),
      ...contradictions,
    ],
  };
}

/** Machines of a license, each with its own address in 127.network.0.0/16. */
interface Beating {
  readonly key: string;
  readonly network: number;
  /** The number of the first machine, and how many there are. */
  readonly first: number;
  readonly count: number;
}

/** Maximum number of connected machines. */
const CONNECTED = 200;

/** Sends a heartbeat of each machine on a new connection, evenly over some seconds. */
const sendBeats = (url: string, beating: Beating, seconds: number) =>
  sendLoad({
    ...beatsOf(url, beating),
    ...{ callers: Math.min(beating.count, CONNECTED), reopens: true },
    ...{ rate: beating.count / seconds, seconds },
  });

/** All heartbeats at the same time. */
const sendConcurrently = (url: string, beating: Beating) =>
  sendLoad({ ...beatsOf(url, beating), callers: beating.count, holds: true, seconds: 1 });

const beatsOf = (url: string, { key, network, first, count }: Beating) => ({
  ...{ url, network, callersPerAddress: 1, accepts: '^{"success":true' },
  requests: Array.from({ length: count }, (_, i) => {
    const body = { key, fingerprint: fingerprintOf(first + i) };
    return onTheWire('POST', '/validate/heartbeat', { body });
  }),
});
