// The reference for writes on MongoDB: what the service stores, written by the bare driver in as few statements as possible.
import mongoose from 'mongoose';
import { copies, serve } from './reference.mjs';

const { MongoClient, ObjectId } = mongoose.mongo;
const OPTIONS = { w: 'majority', journal: true, readConcernLevel: 'majority', maxPoolSize: 100 };

serve(async ({ uri, project }) => {
  const client = await new MongoClient(uri, OPTIONS).connect();
  const all = (name) => client.db().collection(name);
  const find = (name, field, value) => all(name).findOne(field ? { [field]: value } : {});
  const copy = await copies(find, () => new ObjectId());
  const update = async (filter, change) => {
    const { modifiedCount } = await all('licenses').updateOne(filter, change);
    if (modifiedCount !== 1) throw new Error('The driver changed no license');
  };

  const operations = {
    /** Stores the machine and event within the license: one record, no transaction. */
    async activate({ keyHash }) {
      const license = await all('licenses').findOne({ keyHash });
      const { _id } = license;
      const events = copy.event('license.activated', _id);
      const $push = { machines: copy.machineOf(license), events };
      await update({ _id, status: 'PENDING' }, { $set: copy.activation, $push });
    },
    /** Counts the project on its client, but nothing on the account. */
    createProject: (parent) =>
      client.withSession((session) =>
        session.withTransaction(async () => {
          const created = copy.project(parent);
          const license = copy.license(created);
          const events = [
            copy.event('project.created', created._id),
            copy.event('license.created', license._id),
          ];
          const $inc = { projectsCount: 1 };
          await all('clients').updateOne({ _id: parent._id }, { $inc }, { session });
          await all('projects').insertOne(created, { session });
          await all('licenses').insertOne({ ...license, events }, { session });
        }),
      ),
  };
  const ofProject = { project: project && new ObjectId(project) };
  const records = project
    ? await all('licenses').find(ofProject).project({ keyHash: 1 }).toArray()
    : await all('clients').find().project({ owner: 1 }).toArray();
  return { records, operations };
});
