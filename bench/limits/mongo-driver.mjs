// The limit of writes on MongoDB: what a write stores, by the bare driver and as few statements as possible.
import mongoose from 'mongoose';
import 'reflect-metadata';
import { CLIENTS } from '../../build/clients/client.js';
import { EVENTS } from '../../build/events/event.js';
import { LICENSES } from '../../build/licenses/license.js';
import { MACHINES } from '../../build/machines/machine.js';
import { PROJECTS } from '../../build/projects/project.js';
import { newVersion } from '../../build/storage/changes.js';
import { DRIVER_OPTIONS } from '../../build/storage/mongo/connection/connection-options.js';
import { Codec } from '../../build/storage/mongo/documents/codec.js';

const { readConcern, writeConcern, readPreference } = DRIVER_OPTIONS;

let client;

const documents = ({ name }) => client.db().collection(name);
const codecs = new Map(
  [PROJECTS, LICENSES, MACHINES, EVENTS].map((each) => [each, new Codec(each)]),
);
const encode = (collection, record) => codecs.get(collection).encode(record, newVersion());

const OPERATIONS = {
  /** Looks a license up and activates it, one statement each: the machine and the event are stored in the license. */
  async activate({ keyHash, activation, machine, event }) {
    const { _id } = await documents(LICENSES).findOne({ keyHash });
    const $push = {
      machines: encode(MACHINES, machine),
      events: encode(EVENTS, { ...event, subject: _id.toHexString() }),
    };
    const activated = await documents(LICENSES).findOneAndUpdate(
      { _id, status: 'PENDING' },
      { $set: activation, $push },
      { returnDocument: 'after' },
    );
    return activated !== null;
  },

  /** Inserts a project and its first license in a transaction that counts the project of its client. */
  async createProject({ project, license, events: all }) {
    const record = encode(PROJECTS, project);
    const parent = { _id: record.client, owner: record.owner };
    const events = all.map((event) => encode(EVENTS, event));
    return client.withSession((session) =>
      session.withTransaction(async () => {
        const $inc = { projectsCount: 1 };
        const { matchedCount } = await documents(CLIENTS).updateOne(parent, { $inc }, { session });
        await documents(PROJECTS).insertOne(record, { session });
        await documents(LICENSES).insertOne({ ...encode(LICENSES, license), events }, { session });
        return matchedCount === 1;
      }),
    );
  },
};

/** Runs the operation once for each record, `connections` at the same time. */
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
  return { perSecond: records.length / ((performance.now() - begin) / 1000) };
}

process.on('message', async (message) => {
  if (message.uri) {
    const options = { readConcern, writeConcern, readPreference };
    client = await new mongoose.mongo.MongoClient(message.uri, options).connect();
    process.send('open');
  } else {
    process.send(await run(message));
  }
});
