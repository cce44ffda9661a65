import { fileURLToPath } from 'node:url';
import { load } from '../lib/load.mjs';
import { MongoWorld } from '../lib/mongo-world.mjs';
import { Program } from '../lib/program.mjs';
import { ACTIVATED, activation, VALID, validation } from '../lib/requests.mjs';
import { compare } from '../lib/rounds.mjs';
import { sample } from '../lib/sample.mjs';
import { BARE, startBare } from './validate.mjs';

const DRIVER = fileURLToPath(new URL('../limits/mongo-driver.mjs', import.meta.url));
const VALIDATIONS_AT_ONCE = 20;
/** Few enough that none is rejected, however slow the machine is. */
const ACTIVATIONS_AT_ONCE = 32;
const ACTIVE = 1000;
const MANY_PROJECTS = 32;

/**
 * Validations on MongoDB, against a bare Fastify that reads the license of each request, and first activations below one
 * project and below many, against the bare driver.
 */
export async function onMongo({ folder, rounds, seconds, mongoWrites }, server) {
  const one = { clients: 1, projects: 1, active: 0 };
  const size = 2 * mongoWrites * (rounds + 1);
  const mongo = await MongoWorld.open(folder, server, 'checks', 1, async (store) => [
    await store.add({ ...one, pending: 0, active: ACTIVE }),
    await store.add({ ...one, pending: size }),
    await store.add({ ...one, projects: MANY_PROJECTS, pending: Math.ceil(size / MANY_PROJECTS) }),
  ]);
  const [url] = mongo.urls;
  const { MONGODB_URI: uri } = mongo.env;
  const [{ keys: active }, ...pending] = mongo.filled;

  const driver = new Program([DRIVER]);
  driver.send({ uri });
  await driver.message();
  const bare = new Program([BARE]);
  const requests = active.map(validation);
  const byHash = active.map((key) => validation(mongo.world.keyHashOf(key)));
  const bareUrl = await startBare(bare, url, requests[0], { uri, own: byHash[0] });

  const validationsOf = async (address, of) => {
    const job = { url: address, connections: VALIDATIONS_AT_ONCE, seconds, requests: of };
    return (await load({ ...job, expected: VALID })).perSecond;
  };
  const validate = {
    service: () => validationsOf(url, requests),
    limit: () => validationsOf(bareUrl, byHash),
  };
  const activate = ({ _id, keys }) => {
    const shuffled = sample(keys, size);
    // Of the licenses of each round, the service activates the first half and the driver the second.
    const part = (round, half) =>
      shuffled.slice((2 * round + half) * mongoWrites).slice(0, mongoWrites);
    return {
      service: async (round) => {
        const job = { url, connections: ACTIVATIONS_AT_ONCE, expected: ACTIVATED };
        return (await load({ ...job, requests: part(round, 0).map(activation) })).perSecond;
      },
      limit: (round) => {
        const records = part(round, 1).map((key) => mongo.world.activationOf(_id, key));
        driver.send({ kind: 'activate', records, connections: ACTIVATIONS_AT_ONCE });
        return driver.message();
      },
    };
  };

  const results = [];
  for (const { service, limit } of [validate, ...pending.map(activate)]) {
    results.push(await compare(rounds, service, limit));
  }
  await driver.end();
  await bare.end();
  await mongo.close();
  return results;
}
