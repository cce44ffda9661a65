import { Deployment } from '../lib/deployment.mjs';
import { load } from '../lib/load.mjs';
import { get } from '../lib/requests.mjs';
import { summary } from '../lib/statistics.mjs';

/** Reads a client; looks up the session, the member and the account, too. */
export const readClient = (extent) => {
  const size = { clients: 10, projects: 1, pending: 1, active: 0 };
  const pathsOf = ({ clients }) => clients.map((id) => `/clients/${id}`);
  return read(extent, size, pathsOf, '^{"_id":"[0-9a-f]{24}","name":"Client \\d"');
};

/** Reads the summary of an account's licenses, half of them PENDING and half ACTIVE. */
export const readSummary = (extent) => {
  const each = extent.licenses / 2;
  const size = { clients: each / 500, projects: 10, pending: 50, active: 50 };
  const body = `^{"licensesByStatus":{"PENDING":${each},"ACTIVE":${each},`;
  return read(extent, size, () => ['/dashboard/summary'], body);
};

/** The median of the milliseconds of a read by a member, one request at a time. */
async function read(extent, size, pathsOf, body) {
  const deployment = await Deployment.fill(extent, (store) => store.add(size));
  const [token] = deployment.tokens([deployment.filled]);
  const requests = pathsOf(deployment.filled).map((path) => get(path, token));
  const [url] = await deployment.start();
  const job = { url, connections: 1, requests, expected: { status: 200, body } };
  const medians = [];
  for (let round = 0; round < extent.rounds; round++) {
    medians.push((await load({ ...job, seconds: extent.seconds })).p50);
  }
  await deployment.end();
  return summary(medians);
}
