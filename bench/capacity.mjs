// npm run capacity [-- --short]: what docs/scaling.md computes with, printed as JSON. Processor time of MongoDB and of an
// instance for each validation and activation, and the sizes of records and indexes, at 1,000,000 licenses (20,000).
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import mongoose from 'mongoose';
import { Deployment } from './lib/deployment.mjs';
import { load } from './lib/load.mjs';
import { withReplicaSet } from './lib/replica-set.mjs';
import { ACTIVATED, activation, VALID, validation } from './lib/requests.mjs';
import { sample } from './lib/sample.mjs';

const short = process.argv.includes('--short');
const OF_A_USER = { clients: 10, projects: 10, pending: 2, active: 8 };
const OF_A_PROJECT = OF_A_USER.pending + OF_A_USER.active;
const USERS = short ? 20 : 1_000;
const VALIDATIONS = short ? 2_000 : 40_000;
const ACTIVATIONS = short ? 1_280 : 6_400;
/** Callers of one instance at the same time: the more there are, the more look-ups are one statement. */
const CALLERS = [1, 8, 32];

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'license-capacity-'));
process.once('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
await withReplicaSet(async (uri) => {
  if (uri === undefined) throw new Error('No mongod was found');
  process.stdout.write(`${JSON.stringify(await measure(uri), null, 2)}\n`);
});

async function measure(uri) {
  const fill = (store) => store.addAll(USERS, OF_A_USER);
  const deployment = await Deployment.fill({ folder, uri }, fill);
  const active = [];
  const pending = [];
  for (const { keys } of deployment.filled) {
    const isPending = (index) => index % OF_A_PROJECT < OF_A_USER.pending;
    keys.forEach((key, index) => (isPending(index) ? pending : active).push(key));
  }
  const [url] = await deployment.start();
  const client = await mongoose.mongo.MongoClient.connect(deployment.env.MONGODB_URI);
  const mongo = { url, deployment, database: client.db() };
  const costs = [];
  const once = sample(active, VALIDATIONS / 4).map(validation);
  await cost(mongo, 'validate', { connections: 8, requests: once, expected: VALID });
  for (const connections of CALLERS) {
    const amount = connections === 1 ? VALIDATIONS / 10 : VALIDATIONS;
    const requests = sample(active, amount).map(validation);
    costs.push(await cost(mongo, 'validate', { connections, requests, expected: VALID }));
  }
  const requests = sample(pending, ACTIVATIONS).map(activation);
  costs.push(await cost(mongo, 'activate', { connections: 32, requests, expected: ACTIVATED }));
  const sizes = {};
  await client.db('admin').command({ fsync: 1 });
  for (const name of ['licenses', 'machines', 'events', 'projects', 'clients'])
    sizes[name] = await sizesOf(mongo.database, name);
  await client.close();
  await deployment.end();
  return {
    machine: `${os.cpus().length} x ${os.cpus()[0]?.model}`,
    node: process.version,
    costs,
    sizes,
  };
}

/** Microseconds of processor time of each request. The first tenth of the requests warms up, and does not count. */
async function cost(mongo, operation, { requests, ...job }) {
  const { url } = mongo;
  const first = Math.floor(requests.length / 10);
  await load({ ...job, url, requests: requests.slice(0, first) });
  const before = await used(mongo);
  const { count, perSecond, p99 } = await load({ ...job, url, requests: requests.slice(first) });
  const after = await used(mongo);
  const each = (of) => Math.round((after[of] - before[of]) / count);
  return {
    ...{ operation, callers: job.connections, perSecond: Math.round(perSecond), p99 },
    ...{ mongodMicroseconds: each('mongod'), instanceMicroseconds: each('instance') },
    statementsPerHundred: Math.round((100 * (after.statements - before.statements)) / count),
  };
}

/** Processor time so far, in microseconds, and the server's statements: queries, and commands such as `findAndModify`. */
async function used({ database, deployment }) {
  const { extra_info: cpu, opcounters } = await database.command({ serverStatus: 1 });
  const mongod = Number(cpu.user_time_us) + Number(cpu.system_time_us);
  const statements = Number(opcounters.query) + Number(opcounters.command);
  return { mongod, instance: deployment.cpu(), statements };
}

/** Bytes: of a record as BSON, of all records as compressed on the disk, and of each index. */
async function sizesOf(database, collection) {
  const stats = await database.command({ collStats: collection });
  const { count, avgObjSize: record, storageSize: stored, indexSizes: indexes } = stats;
  return { count, record, stored, indexes };
}
