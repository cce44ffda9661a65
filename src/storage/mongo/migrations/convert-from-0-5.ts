import type { mongo } from 'mongoose';
import { searchForm } from '../../../shared/fields/search-form.js';
import { indexesOf, indexName } from '../../choose-index.js';
import type { AnyCollection } from '../../collection.js';

/** Projects that are read at a time. */
const PROJECTS = 1_000;

/** The `keyHash` of the one record among the licenses of 0.5 that is none: it lists deleted projects. */
const DELETED_PROJECTS = '!deleted projects';

/** Converts the records of a database of version 0.5. It may be interrupted and repeated. */
export async function convertFrom05(
  database: mongo.Db,
  collections: readonly AnyCollection[],
): Promise<void> {
  for (const collection of collections) await dropOtherIndexes(database, collection);
  await planRemovals(database);
  await moveEvents(database);
  await sumTotals(database);
  await makeMembers(database);
  await makeMachines(database);
  await planNotices(database);
  await setSearchNames(database);
  // Fields that are used no more stay: reads leave them out.
  for (const { name } of collections) {
    const without = { version: { $exists: false } };
    await database.collection(name).updateMany(without, { $set: { version: 1 } });
  }
  for (const name of ['deleted_accounts', 'license_events']) {
    if (await database.listCollections({ name }).hasNext()) await database.dropCollection(name);
  }
}

async function dropOtherIndexes(database: mongo.Db, collection: AnyCollection): Promise<void> {
  const documents = database.collection(collection.name);
  const declared = new Set(indexesOf(collection).map((fields) => indexName(collection, fields)));
  for (const name of Object.keys(await documents.indexInformation())) {
    if (name !== '_id_' && !declared.has(name)) await documents.dropIndex(name);
  }
}

/** Leaves the licenses of deleted projects to the worker that removes such licenses in steps. */
async function planRemovals(database: mongo.Db): Promise<void> {
  const licenses = database.collection('licenses');
  const task = {
    _id: '$projects._id',
    project: '$projects._id',
    accountId: '$projects.owner',
    work: 'remove',
    product: null,
    createdAt: '$$NOW',
    version: 1,
  };
  const tasks = licenses.aggregate([
    { $match: { keyHash: DELETED_PROJECTS } },
    { $unwind: '$projects' },
    { $replaceWith: task },
    { $merge: { into: 'project_tasks', whenMatched: 'keepExisting' } },
  ]);
  await tasks.toArray();
  await licenses.deleteOne({ keyHash: DELETED_PROJECTS });
}

const isThere = (field: string) => ({ $gt: [field, null] });

/** An event as this version stores it. */
const EVENT = {
  _id: '$_id',
  accountId: '$latest.event.accountId',
  type: {
    $replaceOne: {
      find: 'refused',
      replacement: 'rejected',
      input: { $concat: ['license.', '$latest.event.type'] },
    },
  },
  at: '$latest.at',
  lastAt: null,
  count: '$count',
  storedAt: '$latest.at',
  subject: '$latest.event.license',
  subjectName: null,
  actorType: {
    $cond: [
      isThere('$latest.event.actor'),
      'user',
      { $cond: [isThere('$latest.event.machineId'), 'machine', 'system'] },
    ],
  },
  actor: {
    $ifNull: [{ $toString: '$latest.event.actor' }, { $ifNull: ['$latest.event.machineId', null] }],
  },
  actorName: null,
  data: {
    $arrayToObject: {
      $filter: {
        input: ['reason', 'machineId', 'certificateExpiresAt'].map((name) => ({
          k: name,
          v: `$latest.event.${name}`,
        })),
        cond: isThere('$$this.v'),
      },
    },
  },
  requestId: null,
  version: 1,
};

/**
 * Moves events from their licenses, and from the collection in which early versions stored them, into one collection. The
 * rejected activations of one reason and day have the same id in both places, where two versions have recorded them: they
 * become one event with the sum of the counts, and the time and the machine of the later one.
 */
async function moveEvents(database: mongo.Db): Promise<void> {
  const licenses = database.collection('licenses');
  const ofLicense = { accountId: '$user', license: '$_id' };
  const events = licenses.aggregate(
    [
      {
        $lookup: {
          from: 'license_events',
          as: 'earlier',
          localField: '_id',
          foreignField: 'license',
        },
      },
      { $set: { event: { $concatArrays: [{ $ifNull: ['$events', []] }, '$earlier'] } } },
      { $unwind: '$event' },
      { $set: { event: { $mergeObjects: ['$event', ofLicense] } } },
      {
        $group: {
          _id: '$event._id',
          count: { $sum: '$event.count' },
          latest: { $max: { at: '$event.at', event: '$event' } },
        },
      },
      { $replaceWith: EVENT },
      // Those that an interrupted migration has moved have their sums already.
      { $merge: { into: 'events', whenMatched: 'keepExisting' } },
    ],
    { allowDiskUse: true },
  );
  await events.toArray();
  await licenses.updateMany({ events: { $exists: true } }, { $unset: { events: '' } });
}

/** Gives every account one record of its totals: in 0.5 they were spread over several records, and its login was disabled with it. */
async function sumTotals(database: mongo.Db): Promise<void> {
  const accounts = [{ $project: { isAccount: { $literal: true }, disabledAt: true } }];
  const sumOf = (counter: string) => ({ $sum: `$${counter}` });
  const sums = database.collection('totals').aggregate([
    { $unionWith: { coll: 'users', pipeline: accounts } },
    {
      $group: {
        _id: { $ifNull: ['$_id.account', '$_id'] },
        isAccount: { $max: '$isAccount' },
        version: { $max: '$version' },
        disabledAt: { $max: '$disabledAt' },
        clientsCount: sumOf('clientsCount'),
        projectsCount: sumOf('projectsCount'),
        licensesCount: sumOf('licensesCount'),
      },
    },
    // A record with a version has its sums already.
    { $match: { isAccount: true, version: null } },
    { $set: { version: 1 } },
    { $unset: 'isAccount' },
    { $merge: { into: 'totals', whenMatched: 'replace' } },
  ]);
  await sums.toArray();
  await database.collection('totals').deleteMany({ _id: { $not: { $type: 'objectId' } } });
}

/** Makes the one login of an account its owner, and gives sessions and addresses of logins their accounts. */
async function makeMembers(database: mongo.Db): Promise<void> {
  await database
    .collection('users')
    .updateMany({ account: { $exists: false } }, [
      { $set: { account: '$_id', role: 'owner', disabledAt: null } },
    ]);
  const ofAccount = { $set: { accountId: '$user' } };
  const ofSession = { $set: { lastUsedAt: '$startedAt', address: null, userAgent: null } };
  const without = { accountId: { $exists: false } };
  await database.collection('sessions').updateMany(without, [ofAccount, ofSession]);
  await database.collection('login_addresses').updateMany(without, [ofAccount]);
}

/** Gives the licenses of version 0.5 their machines: one each that was activated. */
async function makeMachines(database: mongo.Db): Promise<void> {
  const licenses = database.collection('licenses');
  const machine = {
    machineId: '$machineId',
    name: null,
    activatedAt: '$activatedAt',
    lastSeenAt: { $dateTrunc: { date: '$activatedAt', unit: 'day' } },
    leaseEndsAt: null,
    isCertified: false,
    certificateEndsAt: null,
    isReleased: false,
  };
  await licenses.updateMany({ machineId: { $exists: true } }, [
    { $set: { machines: { $cond: [{ $eq: ['$machineId', null] }, [], [machine]] } } },
    { $unset: 'machineId' },
  ]);
  const certificates = database.collection('events').aggregate<{
    readonly _id: { readonly license: mongo.ObjectId; readonly machineId: string };
    readonly end: Date;
  }>([
    { $match: { type: 'license.certificate_issued' } },
    {
      $group: {
        _id: { license: '$subject', machineId: '$data.machineId' },
        end: { $max: '$data.certificateExpiresAt' },
      },
    },
  ]);
  for await (const { _id, end } of certificates) {
    const { license, machineId } = _id;
    await licenses.updateOne({ _id: license }, { $max: { certificatesEndAt: end } });
    await licenses.updateOne(
      { _id: license, 'machines.machineId': machineId },
      { $set: { 'machines.$.certificateEndsAt': end } },
    );
  }
}

/** Plans the notices about the ends of licenses that are ahead. */
async function planNotices(database: mongo.Db): Promise<void> {
  const notices = [30, 7, 1, 0].map((days) => ({
    $dateSubtract: { startDate: '$expiresAt', unit: 'hour', amount: days * 24 },
  }));
  const ahead = { $filter: { input: notices, cond: { $gt: ['$$this', new Date()] } } };
  await database
    .collection('licenses')
    .updateMany({ status: 'ACTIVE' }, [{ $set: { nextNoticeAt: { $min: ahead } } }]);
}

/** Gives projects the form of their names in which they are searched. */
async function setSearchNames(database: mongo.Db): Promise<void> {
  const projects = database.collection<{ readonly name: string }>('projects');
  const without = { searchName: { $exists: false } };
  for (;;) {
    const found = await projects
      .find(without, { projection: { name: 1 } })
      .limit(PROJECTS)
      .toArray();
    if (found.length === 0) return;
    const updates = found.map(({ _id, name }) => ({
      updateOne: { filter: { _id }, update: { $set: { searchName: searchForm(name) } } },
    }));
    await projects.bulkWrite(updates);
  }
}
