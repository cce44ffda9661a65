import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import mongoose from 'mongoose';
import 'reflect-metadata';
import { loadConfig } from '../../dist/shared/config/load-config.js';
import { loadDataKeys } from '../../dist/shared/sealing/data-keys.js';
import { toLicenseRecord } from '../../dist/storage/mongo/schemas/license.schema.js';
import { load } from '../lib/load.mjs';
import { Program } from '../lib/program.mjs';
import { ACTIVATED, activation, VALID, validation } from '../lib/requests.mjs';
import { compare } from '../lib/rounds.mjs';
import { LIMITS_OFF, Service } from '../lib/service.mjs';
import { activationOf, World } from '../lib/world.mjs';

const DRIVER = fileURLToPath(new URL('../limits/mongo-driver.mjs', import.meta.url));
const VALIDATIONS_AT_ONCE = 20;
/** Few enough that none is rejected, however slow the machine is. */
const ACTIVATIONS_AT_ONCE = 32;
const ACTIVE = 1000;

/** Validations and first activations on MongoDB, against the same operations by the bare driver. */
export async function onMongo({ folder, rounds, seconds, mongoWrites }, uri) {
  const secrets = { JWT_SECRET: secret(), LICENSE_SECRET: secret() };
  const service = new Service(folder, { ...LIMITS_OFF, ...secrets, MONGODB_URI: uri });
  const driver = new Program([DRIVER]);
  const url = await service.listening();
  driver.send({ uri });
  await driver.message();

  const { world, active, pending } = await fill(uri, secrets, 2 * mongoWrites * (rounds + 1));
  // Of the licenses of each round, the service activates the first half and the driver the second.
  const part = (round, half) =>
    pending.slice((2 * round + half) * mongoWrites).slice(0, mongoWrites);
  const byDriver = (job) => {
    driver.send(job);
    return driver.message();
  };

  const validate = {
    service: async () => {
      const requests = active.map(validation);
      const job = { url, connections: VALIDATIONS_AT_ONCE, seconds, requests, expected: VALID };
      return (await load(job)).perSecond;
    },
    limit: () => {
      const records = active.map((key) => ({ keyHash: world.keyHashOf(key) }));
      return byDriver({ kind: 'validate', records, connections: VALIDATIONS_AT_ONCE, seconds });
    },
  };
  const activate = {
    service: async (round) => {
      const requests = part(round, 0).map(activation);
      const job = { url, connections: ACTIVATIONS_AT_ONCE, requests, expected: ACTIVATED };
      return (await load(job)).perSecond;
    },
    limit: (round) => {
      const records = part(round, 1).map((key) => recordOf(world, key));
      return byDriver({ kind: 'activate', records, connections: ACTIVATIONS_AT_ONCE });
    },
  };

  const results = [];
  for (const { service: ofService, limit } of [validate, activate]) {
    results.push(await compare(rounds, ofService, limit));
  }
  await service.end();
  await driver.end();
  return { validate: results[0], activate: results[1] };
}

const secret = () => randomBytes(48).toString('base64url');

/** Stores licenses in a database in which the service has created its collections, indexes and data keys. */
async function fill(uri, secrets, pending) {
  const client = await new mongoose.mongo.MongoClient(uri).connect();
  const db = client.db();
  const find = async (item) => (await db.collection('deployment').findOne({ _id: item })).value;
  const config = loadConfig({ ...secrets, MONGODB_URI: uri });
  const world = new World(config, await loadDataKeys({ find }, config));
  const insert = async (size) => {
    const { licenses, events, keys } = world.makeUser({ clients: 1, projects: 1, ...size });
    const records = licenses.map((license, index) => toLicenseRecord(license, events[index]));
    await db.collection('licenses').insertMany(records);
    return keys;
  };
  const keys = {
    active: await insert({ pending: 0, active: ACTIVE }),
    pending: await insert({ pending, active: 0 }),
  };
  await client.close();
  return { world, ...keys };
}

function recordOf(world, key) {
  const record = activationOf(world, key);
  const updatedAt = record.activation.activatedAt;
  return { ...record, activation: { ...record.activation, updatedAt } };
}
