import { fileURLToPath } from 'node:url';
import { accessTokens } from '../lib/access-token.mjs';
import { load } from '../lib/load.mjs';
import { MongoWorld } from '../lib/mongo-world.mjs';
import { Program } from '../lib/program.mjs';
import { CREATED, createProject, VALID, validation } from '../lib/requests.mjs';
import { compare } from '../lib/rounds.mjs';
import { sample } from '../lib/sample.mjs';

const DRIVER = fileURLToPath(new URL('../limits/mongo-driver.mjs', import.meta.url));
const INSTANCES = 4;
const CALLERS = [1, 64];
const OF_A_USER = { clients: 10, projects: 10, pending: 0, active: 10 };
const LICENSES_OF_A_USER = 1_000;
const MOST_KEYS = 50_000;

/**
 * Projects that callers of one account create through four instances, each caller below a client of its own, against
 * the same records by the bare driver, which counts them for no quota.
 */
export async function createProjectsOnMongo({ folder, rounds, mongoWrites }, uri) {
  const mongo = await MongoWorld.open(folder, uri, 'creations', INSTANCES);
  const { user, clients } = await mongo.insertUser({
    ...{ clients: Math.max(...CALLERS), projects: 1, pending: 1, active: 0 },
  });
  const [token] = accessTokens(mongo.env, [user._id]);
  const driver = new Program([DRIVER]);
  driver.send({ uri: mongo.env.MONGODB_URI });
  await driver.message();

  const results = [];
  for (const connections of CALLERS) {
    // One caller waits for each commit.
    const share = Math.ceil(mongoWrites / (connections === 1 ? 16 : 4 * connections));
    const clientsOf = clients.slice(0, connections).flatMap(({ _id }) => Array(share).fill(_id));
    const service = async () => {
      const requests = clientsOf.map((client) => createProject(token, client));
      const url = connections === 1 ? mongo.urls[0] : mongo.urls;
      return (await load({ url, connections, requests, expected: CREATED })).perSecond;
    };
    const limit = () => {
      const records = clientsOf.map((client) => mongo.world.makeProject(user._id, client));
      driver.send({ kind: 'createProject', records, connections });
      return driver.message();
    };
    results.push(await compare(rounds, service, limit));
  }
  await driver.end();
  await mongo.close();
  return results;
}

/** Validations through four instances, with many licenses and with a thousand: the p99 of their responses. */
export async function validateInCluster({ folder, rounds, seconds, clusterUsers }, uri) {
  const stores = [];
  for (const [name, users] of Object.entries({ large: clusterUsers, small: 1 })) {
    const mongo = await MongoWorld.open(folder, uri, name, INSTANCES);
    const keys = [];
    for (let i = 0; i < users; i++) keys.push(...(await mongo.insertUser(OF_A_USER)).keys);
    stores.push({ mongo, requests: sample(keys, MOST_KEYS).map(validation) });
  }
  const p99 = async ({ mongo, requests }) => {
    const job = { url: mongo.urls, connections: 64, seconds, requests, expected: VALID };
    return (await load(job)).p99;
  };
  const [large, small] = stores;
  const result = await compare(
    rounds,
    () => p99(large),
    () => p99(small),
  );
  for (const { mongo } of stores) await mongo.close();
  return result;
}

/** How many licenses this many users have. */
export const licensesOf = (users) => users * LICENSES_OF_A_USER;
