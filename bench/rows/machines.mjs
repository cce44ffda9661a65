import path from 'node:path';
import { accessTokens } from '../lib/access-token.mjs';
import { fill } from '../lib/fill.mjs';
import { load } from '../lib/load.mjs';
import { ACTIVATED, machinesOf, patch, post, VALID, validation } from '../lib/requests.mjs';
import { compare } from '../lib/rounds.mjs';
import { LIMITS_OFF, Service } from '../lib/service.mjs';

/** Activations of a round. */
const ACTIVATIONS = 10;

/**
 * Milliseconds of a validation, an activation and the list of machines of a license of many machines, against one of a single
 * machine: one request at a time.
 */
export async function manyMachines({ folder, rounds, seconds, machines }) {
  const env = { ...LIMITS_OFF, DATA_DIR: path.join(folder, 'data') };
  const activations = ACTIVATIONS * (rounds + 1);
  const size = { clients: 1, projects: 1, pending: activations, active: 2 };
  const { accounts } = await fill(env, 1, size);
  const [token] = accessTokens(env, accounts);
  const [{ keys }] = accounts;
  const service = new Service(folder, LIMITS_OFF);
  const url = await service.listening();
  const one = { url, connections: 1 };
  const machine = (key, number) =>
    post('/validate/activate', { key, fingerprint: `machine-number-${number}` });
  const [many, single] = keys.slice(activations);
  const ids = await Promise.all([many, single].map((key) => idOf(url, key, token)));
  const allowed = { status: 200, body: '"License updated successfully"' };
  const change = patch(`/licenses/${ids[0]}`, { maxMachines: machines }, token);
  await load({ ...one, requests: [change], expected: allowed });
  const taken = Array.from({ length: machines - activations - 1 }, (_, i) => machine(many, i));
  await load({ ...one, requests: taken, expected: ACTIVATED });

  const p50 = async (requests, expected, duration) =>
    (await load({ ...one, requests, expected, ...duration })).p50;
  const part = (round) => Array.from({ length: ACTIVATIONS }, (_, i) => round * ACTIVATIONS + i);
  const listed = { status: 200, body: '^{"data":\\[{"machineId"' };
  const results = [
    await compare(
      rounds,
      () => p50([validation(many)], VALID, { seconds }),
      () => p50([validation(single)], VALID, { seconds }),
    ),
    await compare(
      rounds,
      (round) =>
        p50(
          part(round).map((i) => machine(many, machines + i)),
          ACTIVATED,
        ),
      (round) =>
        p50(
          part(round).map((i) => machine(keys[i], 0)),
          ACTIVATED,
        ),
    ),
    await compare(
      rounds,
      () => p50([machinesOf(ids[0], token)], listed, { seconds }),
      () => p50([machinesOf(ids[1], token)], listed, { seconds }),
    ),
  ];
  await service.end();
  return results;
}

async function idOf(url, key, token) {
  const { method, headers, body } = post('/licenses/lookup', { key }, token);
  const response = await fetch(`${url}/licenses/lookup`, { method, headers, body });
  return (await response.json())._id;
}
