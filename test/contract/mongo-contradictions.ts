import type { mongo } from 'mongoose';

/** A field of a record as text, as two equal ids are different objects. */
const text = (record: mongo.Document | undefined, field: string) => String(record?.[field]);

const countBy = (records: readonly mongo.Document[], field: string): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const record of records) {
    const value = text(record, field);
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return counts;
};

/** The inconsistencies of a database: records without their parent, wrong counters and totals. */
export async function contradictionsIn(
  read: (collection: string) => Promise<mongo.Document[]>,
): Promise<string[]> {
  const clients = await read('clients');
  const projects = await read('projects');
  const found = await read('licenses');
  const deleted = new Set(
    found.flatMap(({ projects = [] }) => (projects as mongo.Document[]).map(({ _id }) => `${_id}`)),
  );
  const isOfDeleted = (license: mongo.Document) => deleted.has(text(license, 'project'));
  const licenses = found.filter((one) => !('projects' in one || isOfDeleted(one)));
  const hidden = new Set(found.filter(isOfDeleted).map(({ _id }) => `${_id}`));
  const inCollection = (await read('license_events')).filter(
    (one) => !hidden.has(text(one, 'license')),
  );
  const events = [...inCollection, ...eventsOf(licenses)];
  return [
    ...between(clients, projects, 'client', 'projectsCount', { owner: 'owner' }),
    ...between(projects, licenses, 'project', 'licensesCount', { user: 'owner', client: 'client' }),
    ...orphans(licenses, inCollection, 'license'),
    ...projects
      .filter(({ licensesCount }) => licensesCount === 0)
      .map(({ _id }) => `${_id} without a license`),
    ...projects
      .filter(({ _id }) => deleted.has(`${_id}`))
      .map(({ _id }) => `${_id} that exists, though it was deleted`),
    ...withoutCreation(licenses, events),
    ...withOtherProduct(projects, licenses),
    ...ofDeletedAccounts(await read('signing_keys'), await read('deleted_accounts')),
    ...wrongTotals(await read('totals'), clients, projects, licenses),
  ];
}

/** The events in the records of licenses, each with its license. */
export const eventsOf = (licenses: readonly mongo.Document[]): mongo.Document[] =>
  licenses.flatMap(({ _id, events = [] }) =>
    (events as mongo.Document[]).map((event) => ({ ...event, license: _id as mongo.ObjectId })),
  );

function orphans(
  parents: readonly mongo.Document[],
  children: readonly mongo.Document[],
  reference: string,
): string[] {
  const ids = new Set(parents.map((parent) => text(parent, '_id')));
  return children
    .filter((child) => !ids.has(text(child, reference)))
    .map(({ _id }) => `${_id} without its ${reference}`);
}

/** @param same fields of a child, each with the equal field of its parent */
function between(
  parents: readonly mongo.Document[],
  children: readonly mongo.Document[],
  reference: string,
  counter: string,
  same: Record<string, string>,
): string[] {
  const byId = new Map(parents.map((parent) => [text(parent, '_id'), parent]));
  const counts = countBy(children, reference);
  const miscounted = parents.filter(
    (parent) => parent[counter] !== (counts.get(text(parent, '_id')) ?? 0),
  );
  const strangers = Object.entries(same).flatMap(([own, parents]) =>
    children.filter(
      (child) => text(child, own) !== text(byId.get(text(child, reference)), parents),
    ),
  );
  return [
    ...orphans(parents, children, reference),
    ...miscounted.map(({ _id }) => `${_id} with a wrong ${counter}`),
    ...strangers.map(({ _id }) => `${_id} of another user or client than its ${reference}`),
  ];
}

function withoutCreation(
  licenses: readonly mongo.Document[],
  events: readonly mongo.Document[],
): string[] {
  const created = countBy(
    events.filter(({ type }) => type === 'created'),
    'license',
  );
  return licenses
    .filter((license) => created.get(text(license, '_id')) !== 1)
    .map(({ _id }) => `${_id} without the event of its creation`);
}

function withOtherProduct(
  projects: readonly mongo.Document[],
  licenses: readonly mongo.Document[],
): string[] {
  const products = new Map(projects.map((each) => [text(each, '_id'), each.product ?? null]));
  return licenses
    .filter((license) => (license.product ?? null) !== products.get(text(license, 'project')))
    .map(({ _id }) => `${_id} with another product than its project`);
}

function ofDeletedAccounts(
  signingKeys: readonly mongo.Document[],
  deletedAccounts: readonly mongo.Document[],
): string[] {
  const deleted = new Set(deletedAccounts.map((account) => text(account, '_id')));
  return signingKeys
    .filter((keys) => deleted.has(text(keys, '_id')))
    .map(({ _id }) => `${_id} with signing keys, though it was deleted`);
}

function wrongTotals(
  totals: readonly mongo.Document[],
  clients: readonly mongo.Document[],
  projects: readonly mongo.Document[],
  licenses: readonly mongo.Document[],
): string[] {
  const counters = {
    clientsCount: countBy(clients, 'owner'),
    projectsCount: countBy(projects, 'owner'),
    licensesCount: countBy(licenses, 'user'),
  };
  const userOf = ({ _id }: mongo.Document) => String((_id as mongo.Document).account ?? _id);
  const users = new Set([...totals.map(userOf), ...counters.clientsCount.keys()]);
  return Object.entries(counters).flatMap(([counter, counts]) => {
    const sums = new Map<string, number>();
    for (const shard of totals) {
      const user = userOf(shard);
      sums.set(user, (sums.get(user) ?? 0) + Number(shard[counter]));
    }
    return [...users]
      .filter((user) => (sums.get(user) ?? 0) !== (counts.get(user) ?? 0))
      .map((user) => `${user} with a wrong total ${counter}`);
  });
}
