import type { HttpCaller } from '../../http-caller.js';
import { PROXY_NETWORK } from '../abuse/loads.js';
import { ADDRESS, type Callers, onTheWire, UNIQUE } from '../overload/load.js';
import { times } from '../prove.js';
import { fingerprintOf } from './add-machines.js';

const MACHINES = times({ short: 1_000, long: 10_000 });
/** Seconds of a lease, the shortest that a license may have: heartbeats move its end most often. */
const LEASE = 300;

/** Adds two licenses with many machines, which are stored once the service has ended: one has seats for more, and one is full. */
export async function addLicenses(service: HttpCaller) {
  const vendor = await service.register();
  const { project } = await service.createLicense(vendor);
  const add = (maxMachines: number) =>
    service.addLicense(vendor, project, { maxMachines, leaseSeconds: LEASE });
  const [roomy, full] = [await add(1_000_000), await add(MACHINES)];
  const machines = [roomy, full].map(({ _id }) => ({ license: _id, count: MACHINES, ago: 60 }));
  return { keys: { roomy: roomy.key, full: full.key }, machines };
}

/** Loads by machines: each request is of another address, as many as there are machines, or more. */
export function machineLoads({
  roomy,
  full,
}: Record<'roomy' | 'full', string>): Record<string, Callers> {
  const from = { network: PROXY_NETWORK, callers: 64, callersPerAddress: 4 };
  const request = (path: string, key: string, fingerprint: string) =>
    onTheWire('POST', path, { body: { key, fingerprint }, forwardedFor: ADDRESS });
  const heartbeats = Array.from({ length: MACHINES }, (_, machine) =>
    request('/validate/heartbeat', roomy, fingerprintOf(machine)),
  );
  const activate = (key: string) => [request('/validate/activate', key, `new-machine-${UNIQUE}`)];
  return {
    heartbeats: { ...from, requests: heartbeats, expects: 200 },
    activations: { ...from, requests: activate(roomy), expects: 200 },
    // Their seats are taken: each is rejected.
    'activations-full': { ...from, requests: activate(full), expects: 403 },
  };
}
