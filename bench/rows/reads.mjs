import path from 'node:path';
import { accessTokens } from '../lib/access-token.mjs';
import { fill } from '../lib/fill.mjs';
import { load } from '../lib/load.mjs';
import { MongoWorld } from '../lib/mongo-world.mjs';
import { clientOf } from '../lib/requests.mjs';
import { LIMITS_OFF, Service } from '../lib/service.mjs';
import { summary } from '../lib/statistics.mjs';

const SIZE = { clients: 10, projects: 1, pending: 1, active: 0 };
const CLIENT = { status: 200, body: '^{"_id":"[0-9a-f]{24}","name":"Client \\d"' };

/**
 * Milliseconds in which a member reads a client, one request at a time: each looks up the session, the member and the account, too.
 */
export async function authenticatedRead(extent) {
  const env = { DATA_DIR: path.join(extent.folder, 'data') };
  const { accounts } = await fill(env, 1, SIZE);
  const service = new Service(extent.folder, LIMITS_OFF);
  const result = await read(extent, await service.listening(), env, accounts[0]);
  await service.end();
  return result;
}

/** The same on MongoDB. */
export async function authenticatedReadOnMongo(extent, server) {
  const mongo = await MongoWorld.open(extent.folder, server, 'reads', 1, async (store) => [
    await store.add(SIZE),
  ]);
  const result = await read(extent, mongo.urls[0], mongo.env, mongo.filled[0]);
  await mongo.close();
  return result;
}

async function read({ rounds, seconds }, url, env, account) {
  const [token] = accessTokens(env, [account]);
  const requests = account.clients.map((id) => clientOf(id, token));
  const medians = [];
  for (let round = 0; round < rounds; round++) {
    const job = { url, connections: 1, seconds, requests, expected: CLIENT };
    medians.push((await load(job)).p50);
  }
  return summary(medians);
}
