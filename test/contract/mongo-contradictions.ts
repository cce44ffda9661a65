import type { mongo } from 'mongoose';

/** A record, as far as this compares it. */
type Found = mongo.Document;

/** A field of a record as text: two ids are equal by their texts alone. */
const text = (record: Found | undefined, field: string) => String(record?.[field]);

const countBy = (records: readonly Found[], field: string): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const record of records) {
    const value = text(record, field);
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return counts;
};

/** What contradicts itself in a database: records without their parent, counters and totals that are wrong. */
export async function contradictionsIn(
  read: (collection: string) => Promise<Found[]>,
): Promise<string[]> {
  const clients = await read('clients');
  const projects = await read('projects');
  const licenses = await read('licenses');
  const events = await read('license_events');
  return [
    ...between(clients, projects, 'client', 'projectsCount', { owner: 'owner' }),
    ...between(projects, licenses, 'project', 'licensesCount', { user: 'owner', client: 'client' }),
    ...between(licenses, events, 'license', 'eventsCount', {}),
    ...projects
      .filter(({ licensesCount }) => licensesCount === 0)
      .map(({ _id }) => `${_id} without a license`),
    ...withoutCreation(licenses, events),
    ...wrongTotals(await read('totals'), clients, projects, licenses),
  ];
}

/** @param same fields of a child, each with the one of its parent that it repeats */
function between(
  parents: readonly Found[],
  children: readonly Found[],
  reference: string,
  counter: string,
  same: Record<string, string>,
): string[] {
  const byId = new Map(parents.map((parent) => [text(parent, '_id'), parent]));
  const counts = countBy(children, reference);
  const orphans = children.filter((child) => !byId.has(text(child, reference)));
  const miscounted = parents.filter(
    (parent) => parent[counter] !== (counts.get(text(parent, '_id')) ?? 0),
  );
  const strangers = Object.entries(same).flatMap(([own, parents]) =>
    children.filter(
      (child) => text(child, own) !== text(byId.get(text(child, reference)), parents),
    ),
  );
  return [
    ...orphans.map(({ _id }) => `${_id} without its ${reference}`),
    ...miscounted.map(({ _id }) => `${_id} with a wrong ${counter}`),
    ...strangers.map(({ _id }) => `${_id} of another user or client than its ${reference}`),
  ];
}

function withoutCreation(licenses: readonly Found[], events: readonly Found[]): string[] {
  const created = countBy(
    events.filter(({ type }) => type === 'created'),
    'license',
  );
  return licenses
    .filter((license) => created.get(text(license, '_id')) !== 1)
    .map(({ _id }) => `${_id} without the event of its creation`);
}

function wrongTotals(
  totals: readonly Found[],
  clients: readonly Found[],
  projects: readonly Found[],
  licenses: readonly Found[],
): string[] {
  const counters = {
    clientsCount: countBy(clients, 'owner'),
    projectsCount: countBy(projects, 'owner'),
    licensesCount: countBy(licenses, 'user'),
  };
  const byUser = new Map(totals.map((record) => [text(record, '_id'), record]));
  const users = new Set([...byUser.keys(), ...counters.clientsCount.keys()]);
  return [...users].flatMap((user) =>
    Object.entries(counters)
      .filter(([counter, counts]) => byUser.get(user)?.[counter] !== (counts.get(user) ?? 0))
      .map(([counter]) => `${user} with a wrong total ${counter}`),
  );
}
