import { fileURLToPath } from 'node:url';
import { load } from '../lib/load.mjs';
import { MongoWorld } from '../lib/mongo-world.mjs';
import { Program } from '../lib/program.mjs';
import { ACTIVATED, activation, VALID, validation } from '../lib/requests.mjs';
import { ownHeaders, rawResponse } from '../lib/response.mjs';
import { compare } from '../lib/rounds.mjs';
import { activationOf } from '../lib/world.mjs';

const DRIVER = fileURLToPath(new URL('../limits/mongo-driver.mjs', import.meta.url));
const BARE = fileURLToPath(new URL('../limits/bare-fastify.mjs', import.meta.url));
const VALIDATIONS_AT_ONCE = 20;
/** Few enough that none is rejected, however slow the machine is. */
const ACTIVATIONS_AT_ONCE = 32;
const ACTIVE = 1000;

/**
 * Validations on MongoDB, against a bare Fastify that reads the license of each request, and first activations, against
 * the same statements by the bare driver.
 */
export async function onMongo({ folder, rounds, seconds, mongoWrites }, server) {
  const mongo = await MongoWorld.open(folder, server, 'checks', 1);
  const [url] = mongo.urls;
  const { MONGODB_URI: uri } = mongo.env;
  const one = { clients: 1, projects: 1 };
  const active = (await mongo.insertUser({ ...one, pending: 0, active: ACTIVE })).keys;
  const size = 2 * mongoWrites * (rounds + 1);
  const pending = (await mongo.insertUser({ ...one, pending: size, active: 0 })).keys;
  // Of the licenses of each round, the service activates the first half and the driver the second.
  const part = (round, half) =>
    pending.slice((2 * round + half) * mongoWrites).slice(0, mongoWrites);

  const driver = new Program([DRIVER]);
  driver.send({ uri });
  await driver.message();
  const bare = new Program([BARE]);
  const requests = active.map(validation);
  const response = await rawResponse(url, requests[0]);
  const body = JSON.parse(response.split('\r\n\r\n')[1]);
  bare.send({ uri, headers: ownHeaders(response), response: body });
  const bareUrl = await bare.message();

  const validationsOf = async (address, of) => {
    const job = { url: address, connections: VALIDATIONS_AT_ONCE, seconds, requests: of };
    return (await load({ ...job, expected: VALID })).perSecond;
  };
  const byHash = active.map((key) => validation(mongo.world.keyHashOf(key)));
  const validate = {
    service: () => validationsOf(url, requests),
    limit: () => validationsOf(bareUrl, byHash),
  };
  const activate = {
    service: async (round) => {
      const job = { url, connections: ACTIVATIONS_AT_ONCE, expected: ACTIVATED };
      return (await load({ ...job, requests: part(round, 0).map(activation) })).perSecond;
    },
    limit: (round) => {
      const records = part(round, 1).map((key) => recordOf(mongo.world, key));
      driver.send({ kind: 'activate', records, connections: ACTIVATIONS_AT_ONCE });
      return driver.message();
    },
  };

  const results = [];
  for (const { service, limit } of [validate, activate]) {
    results.push(await compare(rounds, service, limit));
  }
  await driver.end();
  await bare.end();
  await mongo.close();
  return { validate: results[0], activate: results[1] };
}

function recordOf(world, key) {
  const record = activationOf(world, key);
  const updatedAt = record.activation.activatedAt;
  return { ...record, activation: { ...record.activation, updatedAt } };
}
