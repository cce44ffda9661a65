import { Deployment } from '../lib/deployment.mjs';
import { load } from '../lib/load.mjs';
import { ACTIVATED, byMachine } from '../lib/requests.mjs';
import { compare } from '../lib/rounds.mjs';
import { LEASE_END } from '../lib/world.mjs';

const TERMS = { leaseSeconds: 300, maxMachines: 1_000_000 };

/** What a machine that holds a seat sends, and one that is new. A heartbeat moves the end that its lease was filled with. */
const OPERATIONS = {
  validation: { path: '/validate', body: '^{"valid":true' },
  heartbeat: {
    path: '/validate/heartbeat',
    body: `^{"success":true,.*"leaseEndsAt":"(?!${LEASE_END.toISOString()})`,
  },
  activation: { path: '/validate/activate', isNew: true, ...ACTIVATED },
  release: { path: '/validate/release', isNew: true, body: '^{"success":true' },
};

/**
 * Milliseconds of each operation of a machine, one request at a time: of a license with many machines, against as many licenses
 * with one machine each.
 */
export async function machines(extent) {
  const { rounds, seconds, machines: count } = extent;
  const size = { clients: 1, projects: 1, pending: 0, terms: TERMS };
  const deployment = await Deployment.fill(extent, (store) =>
    store.add({ ...size, active: 1, machines: count }, { ...size, active: count }),
  );
  const [many, ...single] = deployment.filled.keys;
  const [url] = await deployment.start();
  const each = Math.floor(count / (rounds + 1));

  const results = {};
  for (const [operation, { path, body, isNew = false }] of Object.entries(OPERATIONS)) {
    const requestsOf = {
      service: single.map((_, i) => byMachine(path, many, isNew ? count + i : i)),
      limit: single.map((key) => byMachine(path, key, Number(isNew))),
    };
    const p50 = (side) => async (round) => {
      const job = { url, connections: 1, expected: { status: 200, body } };
      const all = requestsOf[side];
      // A validation may be repeated. What writes is sent once for each machine.
      const requests =
        path === '/validate'
          ? { requests: all, seconds }
          : { requests: all.slice(round * each, (round + 1) * each) };
      return (await load({ ...job, ...requests })).p50;
    };
    results[operation] = await compare(rounds, p50('service'), p50('limit'));
  }
  await deployment.end();
  return results;
}
