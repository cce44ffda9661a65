import type { HttpCaller } from '../../http-caller.js';
import type { RunningService } from '../../smoke/operator.js';
import {
  type Callers,
  type Counts,
  type Load,
  onTheWire,
  rejectionsOf,
  sendLoad,
  totalOf,
} from '../overload/load.js';
import { watchProcess } from '../processes.js';
import { FORM, type Outcome, times } from '../prove.js';
import { LAPTOP } from '../../e2e/developer.js';
import { MAX_CONNECTIONS } from './loads.js';

/** Licenses of the customer; each is validated every two seconds. */
const LICENSES = 40;
/** The customer, who validates 20 times a second from a dedicated address. */
const CUSTOMER = {
  ...{ network: 9, callers: LICENSES, callersPerAddress: LICENSES, reopens: true },
  ...{ rate: 20, accepts: '^{"valid":true' },
};

/** Adds a customer, and returns the keys of its active licenses. */
export async function addCustomer(service: HttpCaller): Promise<string[]> {
  const vendor = await service.register();
  const { project } = await service.createLicense(vendor);
  const keys = await service.addLicenses(vendor, project, LICENSES);
  for (const key of keys) await service.activate({ key }, LAPTOP);
  return keys;
}

/** The service (or its proxy), the duration of the measurement, and the keys of the customer's licenses. */
interface Job {
  readonly service: Pick<RunningService, 'url' | 'pid'>;
  readonly seconds: number;
  readonly keys: readonly string[];
}

/** How the customer, a neighbor and the service fared under a load. */
export type Measured = Awaited<ReturnType<typeof measure>>;

export async function measure(job: Job, load: Callers, neighbor: Callers) {
  const { service, seconds } = job;
  const send = (callers: Callers) => sendLoad({ ...callers, url: service.url, seconds });
  const [measured, ofNeighbor] = await Promise.all([
    whileCustomerValidates(job, () => send(load)),
    send(neighbor),
  ]);
  return { ...measured, neighbor: ofNeighbor };
}

/** Runs work for this many seconds while the customer validates. */
export async function whileCustomerValidates<Result>(
  { service: { url, pid }, seconds, keys }: Job,
  work: () => Promise<Result>,
) {
  const requests = keys.map((key) =>
    onTheWire('POST', '/validate', { body: { key, fingerprint: LAPTOP } }),
  );
  const { peak, stop } = watchProcess(pid);
  try {
    const [validations, result] = await Promise.all([
      sendLoad({ ...CUSTOMER, url, seconds, requests }),
      work(),
    ]);
    return { validations, result, ...peak };
  } finally {
    stop();
  }
}

/** Maximum p99 of the customer, in milliseconds. */
const LONGEST = 250;
/**
 * Maximum resident memory, in MB. In the short form, each load starts a few seconds after the previous one, before V8 has released memory.
 */
export const MEMORY = times({ short: 500, long: 400 });
/** How long a connection without progress may stay open, in seconds; the short form allows for a slow machine. */
export const KEPT = times({ short: 60, long: 25 });
/** The longest must stay open for more than this many seconds. */
const SEEN = 3;
/** The load with more connections than the service allows and no proxy, where license checks are not guaranteed. */
export const CONNECTIONS = 'connections';
/** Loads from enough addresses to exhaust a work class, which affects the neighbor. */
const OF_MANY = /^(logins|registrations|nginx-.*)$/;
/** The service may also hold the customer's connections, a few more that it is about to close, and files. */
const MOST_FILES = MAX_CONNECTIONS + 150;

export interface Run {
  readonly loads: Readonly<Record<string, Measured>>;
  /** How long a connection without progress stayed open at most, in seconds. */
  readonly stuck: number;
}

/** R10: no load affects the customer's license checks, and no load from few callers affects a neighbor's requests. */
export function checksOutcome(run: Run): Outcome {
  const loads = Object.entries(run.loads).filter(([name]) => name !== CONNECTIONS);
  const figures = loads.map(([name, { validations, neighbor }]) => [
    name,
    `${shown(validations)} (of the neighbor ${shown(neighbor)})`,
  ]);
  const failures = loads.flatMap(([name, measured]) => {
    const others = measured.result.failures;
    return naming(name, [
      ...customerFailures(measured),
      ...(OF_MANY.test(name) ? [] : loadFailures('requests of the neighbor', measured.neighbor)),
      ...(totalOf(others) > 0 ? [`others got ${counted(others)}`] : []),
    ]);
  });
  return { figures: Object.fromEntries(figures), failures };
}

/** R12: memory and connections are bounded. */
export function boundsOutcome({ loads, stuck }: Run): Outcome {
  const figures = Object.entries(loads).map(([name, { megabytes, files }]) => {
    return [name, `${megabytes} MB and ${files} open files at most`];
  });
  figures.push(['stuck', `kept for ${stuck} s at most`]);
  const failures = Object.entries(loads).flatMap(([name, measured]) =>
    naming(name, [
      ...(measured.megabytes > MEMORY ? [`${measured.megabytes} MB`] : []),
      ...(name === CONNECTIONS ? connectionFailures(measured) : []),
    ]),
  );
  // If none stayed open for a while, they were missed: the service does not close all of them immediately.
  if (stuck > KEPT || stuck < SEEN) failures.push(`connections were kept for ${stuck} s`);
  return { figures: Object.fromEntries(figures), failures };
}

export function shown(load: Load): string {
  const { late, count } = rejectionsOf(load);
  return `${late + count} of ${load.sent} rejected, p99 ${load.p99} ms`;
}

/**
 * How a load affected the customer.
 *
 * @param longest p99, in milliseconds
 */
export const customerFailures = ({ validations }: { validations: Load }, longest = LONGEST) =>
  loadFailures('validations', validations, validations.p99, longest);

/** Rejections, and excessive times in milliseconds. In the short form, a busy machine may cause delays, so they are only printed. */
export function loadFailures(name: string, load: Load, took = 0, longest = Infinity): string[] {
  const { late, others, count } = rejectionsOf(load);
  return [
    ...(count > 0 ? [`${count} of ${load.sent} ${name} rejected: ${counted(others)}`] : []),
    ...(late > 0 && FORM === 'long' ? [`${late} of ${load.sent} ${name} had no response`] : []),
    ...(took > longest && FORM === 'long' ? [`${name}: ${took} ms`] : []),
  ];
}

function connectionFailures({ files, result }: Measured): string[] {
  const { opened, closed, withoutResponse, statuses } = result;
  // In the short form, a busy machine may not open enough.
  const isEnough = FORM === 'long' || opened > MOST_FILES;
  return [
    ...(files > MOST_FILES ? [`${files} open files`] : []),
    ...(totalOf(closed) === 0 && isEnough ? [`${opened} were opened, and none closed`] : []),
    ...(withoutResponse > 0 ? [`${withoutResponse} were neither served nor closed`] : []),
    ...(statuses[200] ? [] : ['no request was served']),
  ];
}

const naming = (name: string, failures: readonly string[]) =>
  failures.map((failure) => `${name}: ${failure}`);

const counted = (counts: Counts) =>
  Object.entries(counts)
    .map((pair) => pair.join(' '))
    .join(', ');
