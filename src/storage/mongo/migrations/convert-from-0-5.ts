import type { mongo } from 'mongoose';
import { searchForm } from '../../../shared/fields/search-form.js';
import { indexesOf, indexName } from '../../choose-index.js';
import type { AnyCollection } from '../../collection.js';
import { inSteps } from './in-steps.js';
import { moveEvents } from './move-events.js';

/** Accounts whose totals are summed in one transaction. */
const ACCOUNTS = 100;

/** Projects that are read at a time. */
const PROJECTS = 1_000;

/** In 0.5 the numbers of an account were spread over this many records, besides one of its own. */
const SHARDS = 16;

const COUNTERS = ['clientsCount', 'projectsCount', 'licensesCount'] as const;

/** The `keyHash` of the one record among the licenses of 0.5 that is none: it lists deleted projects. */
const DELETED_PROJECTS = '!deleted projects';

/** Fields that are used no more. */
const UNUSED: Readonly<Record<string, readonly string[]>> = {
  users: ['latestSession'],
  projects: ['deletion', 'keptCount'],
  licenses: ['eventsCount'],
  idempotency_records: ['sequence'],
};

/** Converts the records of a database of version 0.5. It may be interrupted and repeated. */
export async function convertFrom05(
  database: mongo.Db,
  collections: readonly AnyCollection[],
): Promise<void> {
  // First, because a unique index would not let `sequence` be removed.
  for (const collection of collections) await dropOtherIndexes(database, collection);
  await planRemovals(database);
  await moveEvents(database);
  await sumTotals(database);
  await makeMembers(database);
  await makeMachines(database);
  await setSearchNames(database);
  // Written by an early version, and expired since.
  await database.collection('idempotency_records').deleteMany({ owner: { $exists: false } });
  for (const { name } of collections) {
    const unused = Object.fromEntries((UNUSED[name] ?? []).map((field) => [field, '']));
    const update = { $set: { version: 1 }, $unset: unused };
    await database.collection(name).updateMany({ version: { $exists: false } }, update);
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
  const licenses = database.collection<{
    readonly keyHash: string;
    readonly projects?: readonly { readonly _id: mongo.ObjectId; readonly owner: mongo.ObjectId }[];
  }>('licenses');
  const record = await licenses.findOne({ keyHash: DELETED_PROJECTS });
  for (const { _id, owner } of record?.projects ?? []) {
    const task = { project: _id, accountId: owner, work: 'remove', product: null };
    await database
      .collection('project_tasks')
      .updateOne(
        { _id },
        { $setOnInsert: { ...task, createdAt: new Date(), version: 1 } },
        { upsert: true },
      );
  }
  await licenses.deleteOne({ keyHash: DELETED_PROJECTS });
}

/** Gives every account one record of its totals. */
async function sumTotals(database: mongo.Db): Promise<void> {
  await inSteps(database, 'users', ACCOUNTS, (accounts, session) =>
    sumTotalsOf(database, accounts, session),
  );
  // Totals of accounts that are gone.
  await database.collection('totals').deleteMany({ _id: { $not: { $type: 'objectId' } } });
}

/** The id of a record of totals: the account, or one of its shards. */
type TotalsId = mongo.ObjectId | { readonly account: mongo.ObjectId; readonly shard: number };

async function sumTotalsOf(
  database: mongo.Db,
  accounts: readonly mongo.ObjectId[],
  session: mongo.ClientSession,
): Promise<void> {
  const totals = database.collection<{ _id: TotalsId; [counter: string]: unknown }>('totals');
  const shards = accounts.flatMap((account) =>
    Array.from({ length: SHARDS }, (_, shard) => ({ account, shard })),
  );
  const ids: TotalsId[] = [...accounts, ...shards];
  const parts = await totals.find({ _id: { $in: ids } }, { session }).toArray();
  const disabled = await disabledAtOf(database, accounts, session);
  const sums = accounts.map((account) => {
    const own = parts.filter(({ _id }) => account.equals('account' in _id ? _id.account : _id));
    const counts = COUNTERS.map((name) => [
      name,
      own.reduce((sum, part) => sum + Number(part[name]), 0),
    ]);
    const disabledAt = disabled.get(account.toHexString()) ?? null;
    const replacement = { ...(Object.fromEntries(counts) as object), disabledAt, version: 1 };
    return { replaceOne: { filter: { _id: account }, replacement, upsert: true } };
  });
  await totals.bulkWrite(sums, { session });
  await totals.deleteMany({ _id: { $in: shards } }, { session });
}

/** When accounts were disabled: in 0.5 with their one login, or by a run of this migration that was interrupted. */
async function disabledAtOf(
  database: mongo.Db,
  accounts: readonly mongo.ObjectId[],
  session: mongo.ClientSession,
): Promise<ReadonlyMap<string, Date>> {
  const filter = { _id: { $in: [...accounts] }, disabledAt: { $type: 'date' } } as const;
  const disabled = new Map<string, Date>();
  for (const name of ['totals', 'users']) {
    const documents = database.collection<{ readonly disabledAt: Date }>(name);
    const found = await documents.find(filter as object, { session }).toArray();
    for (const { _id, disabledAt } of found) disabled.set(_id.toHexString(), disabledAt);
  }
  return disabled;
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
    { $match: { type: 'certificate_issued' } },
    {
      $group: {
        _id: { license: '$license', machineId: '$machineId' },
        end: { $max: '$certificateExpiresAt' },
      },
    },
  ]);
  for await (const { _id, end } of certificates) {
    const { license, machineId } = _id;
    await licenses.updateOne(
      { _id: license, 'machines.machineId': machineId },
      { $set: { 'machines.$.certificateEndsAt': end } },
    );
  }
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
