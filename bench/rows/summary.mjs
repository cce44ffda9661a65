import path from 'node:path';
import { accessTokens } from '../lib/access-token.mjs';
import { load } from '../lib/load.mjs';
import { summaryOf, SUMMARY } from '../lib/requests.mjs';
import { Service } from '../lib/service.mjs';
import { fill } from '../lib/fill.mjs';
import { summary } from '../lib/statistics.mjs';

/** Of each client. */
const EACH = { projects: 10, pending: 50, active: 50 };
const LICENSES_EACH = EACH.projects * (EACH.pending + EACH.active);

/** Milliseconds of the summary of one user's licenses, one request at a time. */
export async function dashboardSummary({ folder, rounds, licenses }) {
  const env = { DATA_DIR: path.join(folder, 'data') };
  const { accounts } = await fill(env, 1, { clients: licenses / LICENSES_EACH, ...EACH });
  const service = new Service(folder);
  const url = await service.listening();
  const [token] = accessTokens(env, accounts);
  const requests = Array.from({ length: 10 }, () => summaryOf(token));
  const expected = SUMMARY(licenses / 2);
  const medians = [];
  for (let round = 0; round < rounds; round++) {
    medians.push((await load({ url, connections: 1, requests, expected })).p50);
  }
  await service.end();
  return summary(medians);
}
