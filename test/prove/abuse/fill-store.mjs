// Fills the store of the service that the environment configures, and prints the accounts and keys as JSON. On SQLite
// the service must not run; on MongoDB it must have created its collections and data keys.
import { hash } from '@node-rs/argon2';
import mongoose from 'mongoose';
import 'reflect-metadata';
import { insertUser } from '../../../bench/lib/sqlite-world.mjs';
import { World } from '../../../bench/lib/world.mjs';
import { loadConfig } from '../../../dist/shared/config/load-config.js';
import { loadDataKeys } from '../../../dist/shared/sealing/data-keys.js';
import { toClientRecord } from '../../../dist/storage/mongo/schemas/client.schema.js';
import { toLicenseRecord } from '../../../dist/storage/mongo/schemas/license.schema.js';
import { toProjectRecord } from '../../../dist/storage/mongo/schemas/project.schema.js';
import { toUserRecord } from '../../../dist/storage/mongo/schemas/user.schema.js';
import { SqliteDeploymentRepository } from '../../../dist/storage/sqlite/repositories/sqlite-deployment.repository.js';
import { SqliteStore } from '../../../dist/storage/sqlite/connection/sqlite-store.js';

const NONE = { clients: 0, projects: 0, pending: 0, active: 0 };
const SIZES = {
  /** 40 licenses, each of which is validated every two seconds, within the limit of its key. */
  customer: { clients: 1, projects: 1, pending: 0, active: 40 },
  /** 8,000 licenses. */
  collector: { clients: 20, projects: 20, pending: 10, active: 10 },
  creator: { ...NONE, clients: 1 },
};
const ACCOUNTS = 100;

const { PASSWORD } = process.env;
const config = loadConfig(process.env);
const store = process.env.MONGODB_URI ? await openMongo() : openSqlite();
const world = new World(config, await loadDataKeys(store.deployment, config));
const passwordHash = await hash(PASSWORD, { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 });

const insert = async (size) => {
  const made = world.makeUser(size);
  Object.assign(made.user, { passwordHash });
  await store.insert(made, size);
  return { email: made.user.email, client: made.clients[0]?._id, keys: made.keys };
};
const { keys } = await insert(SIZES.customer);
const { email: collector } = await insert(SIZES.collector);
const { email, client } = await insert(SIZES.creator);
const accounts = [];
for (let i = 0; i < ACCOUNTS; i++) accounts.push((await insert(NONE)).email);
await store.close();
process.stdout.write(JSON.stringify({ keys, collector, creator: { email, client }, accounts }));

function openSqlite() {
  const sqlite = SqliteStore.open(config.dataDir);
  return {
    deployment: new SqliteDeploymentRepository(sqlite),
    insert: (made) => insertUser(sqlite, made),
    close: () => sqlite.close(),
  };
}

async function openMongo() {
  const mongo = await new mongoose.mongo.MongoClient(process.env.MONGODB_URI).connect();
  const db = mongo.db();
  const find = async (item) => (await db.collection('deployment').findOne({ _id: item })).value;
  const insertAll = async (collection, records) => {
    if (records.length > 0) await db.collection(collection).insertMany(records);
  };
  return {
    deployment: { find },
    insert: async ({ user, clients, projects, licenses, events }, size) => {
      const projectsCount = size.projects;
      const licensesCount = size.pending + size.active;
      const ofClient = (client) => ({ ...toClientRecord(client), projectsCount });
      const ofProject = (project) => ({ ...toProjectRecord(project), licensesCount });
      const owner = toUserRecord(user);
      const totals = {
        _id: owner._id,
        clientsCount: clients.length,
        projectsCount: projects.length,
        licensesCount: licenses.length,
      };
      await insertAll('users', [owner]);
      await insertAll('clients', clients.map(ofClient));
      await insertAll('projects', projects.map(ofProject));
      const toRecord = (license, index) => toLicenseRecord(license, events[index]);
      await insertAll('licenses', licenses.map(toRecord));
      await insertAll('totals', [totals]);
    },
    close: () => mongo.close(),
  };
}
