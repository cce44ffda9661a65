// The limit on MongoDB: the service's operations by the bare driver.
import mongoose from 'mongoose';
import 'reflect-metadata';
import { CONNECTION_OPTIONS } from '../../dist/storage/mongo/connection/connection-options.js';
import { toLicenseEventRecord } from '../../dist/storage/mongo/schemas/license-event.schema.js';
import { toLicenseRecord } from '../../dist/storage/mongo/schemas/license.schema.js';
import { toProjectRecord } from '../../dist/storage/mongo/schemas/project.schema.js';

const { MongoClient, ObjectId } = mongoose.mongo;
const { readConcern, writeConcern, readPreference } = CONNECTION_OPTIONS;

let client;
let clients;
let projects;
let licenses;
let events;

const OPERATIONS = {
  validate: async ({ keyHash }) => (await licenses.findOne({ keyHash })) !== null,
  activate: async ({ keyHash, activation, event }) => {
    const { _id } = await licenses.findOne({ keyHash });
    return client.withSession((session) =>
      session.withTransaction(async () => {
        const activated = await licenses.findOneAndUpdate(
          { _id, status: { $in: ['PENDING'] } },
          { $set: { ...activation, status: 'ACTIVE' }, $inc: { eventsCount: 1 } },
          { session, returnDocument: 'after' },
        );
        await events.insertOne({ ...event, _id: new ObjectId(), license: _id }, { session });
        return activated !== null;
      }),
    );
  },
  createProject: ({ project, license, event }) => {
    const { client: parent, owner } = toProjectRecord(project);
    return client.withSession((session) =>
      session.withTransaction(async () => {
        const $inc = { projectsCount: 1 };
        const { matchedCount } = await clients.updateOne(
          { _id: parent, owner },
          { $inc },
          { session },
        );
        await projects.insertOne(toProjectRecord(project), { session });
        await licenses.insertOne(toLicenseRecord(license), { session });
        await events.insertOne(toLicenseEventRecord(event), { session });
        return matchedCount === 1;
      }),
    );
  },
};

/** Runs `connections` operations at the same time, until the time is over or without it for each record once. */
async function run({ kind, records, connections, seconds = Infinity }) {
  const begin = performance.now();
  let next = 0;
  let done = 0;
  const work = async () => {
    while (performance.now() - begin < seconds * 1000) {
      if (seconds === Infinity && next >= records.length) return;
      const record = records[next++ % records.length];
      if (!(await OPERATIONS[kind](record))) throw new Error(`The driver could not ${kind}`);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  return done / ((performance.now() - begin) / 1000);
}

process.on('message', async (message) => {
  if (message.uri) {
    client = new MongoClient(message.uri, { readConcern, writeConcern, readPreference });
    await client.connect();
    const collection = (name) => client.db().collection(name);
    [clients, projects, licenses] = ['clients', 'projects', 'licenses'].map(collection);
    events = collection('license_events');
    process.send('open');
  } else {
    process.send(await run(message));
  }
});
