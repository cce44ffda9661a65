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
/** The accounts and clients of all callers together, and the instances that they call. */
export const CREATIONS = {
  '1 caller': { connections: 1, accounts: 1, clients: 1, instances: 1 },
  '32 callers below one client': { connections: 32, accounts: 1, clients: 1, instances: 1 },
  '32 callers of 32 accounts': { connections: 32, accounts: 32, clients: 32, instances: 1 },
  '64 callers of one account, four instances': {
    ...{ connections: 64, accounts: 1, clients: 64, instances: INSTANCES },
  },
};
const OF_A_USER = { clients: 10, projects: 10, pending: 0, active: 10 };
const LICENSES_OF_A_USER = 1_000;
const MOST_KEYS = 50_000;

/** Projects with their first licenses, for each of {@link CREATIONS}, against the driver, which counts them for no quota. */
export async function createProjectsOnMongo({ folder, rounds, mongoWrites }, uri) {
  const size = { projects: 1, pending: 1, active: 0 };
  const mongo = await MongoWorld.open(folder, uri, 'creations', INSTANCES, async (store) => {
    const filled = [];
    for (const { accounts, clients } of Object.values(CREATIONS)) {
      const add = () => store.add({ ...size, clients: clients / accounts });
      filled.push(await Promise.all(Array.from({ length: accounts }, add)));
    }
    return filled;
  });
  const driver = new Program([DRIVER]);
  driver.send({ uri: mongo.env.MONGODB_URI });
  await driver.message();

  const results = [];
  for (const [index, { connections, instances }] of Object.values(CREATIONS).entries()) {
    const accounts = mongo.filled[index];
    const tokens = accessTokens(mongo.env, accounts);
    const parents = accounts.flatMap(({ _id, clients }, account) =>
      clients.map((client) => ({ _id, client, token: tokens[account] })),
    );
    // One caller waits for each commit. Each has a part of the list for itself.
    const share = Math.ceil(mongoWrites / (connections === 1 ? 16 : 4 * connections));
    const creations = Array.from({ length: connections }, (_, caller) =>
      Array(share).fill(parents[caller % parents.length]),
    ).flat();
    const service = async () => {
      const requests = creations.map(({ token, client }) => createProject(token, client));
      const url = mongo.urls.slice(0, instances);
      return (await load({ url, connections, requests, expected: CREATED })).perSecond;
    };
    const limit = () => {
      const records = creations.map(({ _id, client }) => mongo.world.makeProject(_id, client));
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
    const mongo = await MongoWorld.open(folder, uri, name, INSTANCES, async (store) => {
      const keys = [];
      for (let i = 0; i < users; i++) keys.push(...(await store.add(OF_A_USER)).keys);
      return keys;
    });
    stores.push({ mongo, requests: sample(mongo.filled, MOST_KEYS).map(validation) });
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
