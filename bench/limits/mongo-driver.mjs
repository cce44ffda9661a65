// The limit on MongoDB: the service's operations by the bare driver.
import mongoose from 'mongoose';
import { CONNECTION_OPTIONS } from '../../dist/storage/mongo/connection/connection-options.js';

const { MongoClient, ObjectId } = mongoose.mongo;
const { readConcern, writeConcern, readPreference } = CONNECTION_OPTIONS;

let client;
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
    licenses = client.db().collection('licenses');
    events = client.db().collection('license_events');
    process.send('open');
  } else {
    process.send(await run(message));
  }
});
