// The limit of writes on MongoDB: the service's statements by the bare driver.
import mongoose from 'mongoose';
import 'reflect-metadata';
import { CONNECTION_OPTIONS } from '../../dist/storage/mongo/connection/connection-options.js';
import { toLicenseRecord } from '../../dist/storage/mongo/schemas/license.schema.js';
import { toProjectRecord } from '../../dist/storage/mongo/schemas/project.schema.js';

const { MongoClient, ObjectId } = mongoose.mongo;
const { readConcern, writeConcern, readPreference } = CONNECTION_OPTIONS;

let client;
let clients;
let projects;
let licenses;

const OPERATIONS = {
  /** Looks a license up and activates it, one statement each. */
  async activate({ keyHash, activation, event }) {
    const { _id } = await licenses.findOne({ keyHash });
    const activated = await licenses.findOneAndUpdate(
      { _id, status: 'PENDING' },
      {
        $set: { ...activation, status: 'ACTIVE' },
        $push: { events: { ...event, _id: new ObjectId() } },
      },
      { returnDocument: 'after' },
    );
    return activated !== null;
  },

  /** Inserts a project and its first license in a transaction that counts the project of its client. */
  async createProject({ project, license, event }) {
    const record = toProjectRecord(project);
    const parent = { _id: record.client, owner: record.owner };
    return client.withSession((session) =>
      session.withTransaction(async () => {
        const $inc = { projectsCount: 1 };
        const { matchedCount } = await clients.updateOne(parent, { $inc }, { session });
        await projects.insertOne(record, { session });
        await licenses.insertOne(toLicenseRecord(license, event), { session });
        return matchedCount === 1;
      }),
    );
  },
};

/** Runs the operation once for each record, `connections` at the same time. Returns operations a second. */
async function run({ kind, records, connections }) {
  const begin = performance.now();
  let next = 0;
  const work = async () => {
    while (next < records.length) {
      if (!(await OPERATIONS[kind](records[next++])))
        throw new Error(`The driver could not ${kind}`);
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  return records.length / ((performance.now() - begin) / 1000);
}

process.on('message', async (message) => {
  if (message.uri) {
    const options = { readConcern, writeConcern, readPreference };
    client = await new MongoClient(message.uri, options).connect();
    const collection = (name) => client.db().collection(name);
    [clients, projects, licenses] = ['clients', 'projects', 'licenses'].map(collection);
    process.send('open');
  } else {
    process.send(await run(message));
  }
});
