import { USERS } from '../src/auth/accounts/user.js';
import { SIGNING_KEYS } from '../src/certificates/signing-keys/signing-keys.js';
import { CLIENTS } from '../src/clients/client.js';
import { EVENTS } from '../src/events/event.js';
import { LICENSES } from '../src/licenses/license.js';
import { MACHINES } from '../src/machines/machine.js';
import { PROJECT_TASKS } from '../src/projects/project-task.js';
import { PROJECTS } from '../src/projects/project.js';
import { TOTALS } from '../src/shared/quotas/account-totals.js';
import type { Collection, FieldOf, Stored } from '../src/storage/collection.js';
import type { ListPosition, Store } from '../src/storage/store.js';

const PAGE_SIZE = 1_000;

type AnyRecord = Stored & Readonly<Record<string, unknown>>;

/** The inconsistencies of a store that only the project task worker changes: wrong parents, counters and totals. */
export async function contradictionsIn(store: Store): Promise<string[]> {
  // Tasks first: whatever their worker removes in the meantime is known to belong to a deleted project.
  const tasks = await readAll(store, PROJECT_TASKS);
  const [users, totals] = [await readAll(store, USERS), await readAll(store, TOTALS)];
  const [clients, projects] = [await readAll(store, CLIENTS), await readAll(store, PROJECTS)];
  const signingKeys = await readAll(store, SIGNING_KEYS);
  const isDeleted = (project: unknown) =>
    hasTask(tasks, project, 'remove') || hasTask(tasks, project, 'revoke_and_remove');
  const isLeft = ({ project }: AnyRecord) => isDeleted(project);
  const allLicenses = await readAll(store, LICENSES);
  const licenses = allLicenses.filter((one) => !isLeft(one));
  const areLeft = new Set(allLicenses.filter(isLeft).map(({ seatsOf }) => seatsOf));
  const machines = (await readAll(store, MACHINES)).filter(({ license }) => !areLeft.has(license));
  const ids = new Set(licenses.map(({ _id }) => _id));
  const events = (await readAll(store, EVENTS)).filter(({ subject }) => ids.has(String(subject)));
  const isLabelled = ({ product, project }: AnyRecord) =>
    product !== null || !hasTask(tasks, project, 'set_product');

  return [
    ...between(totals, '_id', withOne(users, 'totals'), 'totals'),
    ...between(signingKeys, '_id', users),
    ...between(clients, 'owner', totals, 'clientsCount'),
    ...between(projects, 'owner', totals, 'projectsCount'),
    ...between(allLicenses, 'user', totals, 'licensesCount'),
    ...between(projects, 'client', clients, 'projectsCount', { owner: 'owner' }),
    ...between(licenses, 'project', projects, 'licensesCount', { user: 'owner', client: 'client' }),
    ...between(licenses.filter(isLabelled), 'project', projects, undefined, { product: 'product' }),
    ...between(machines, 'license', seatGroupsOf(licenses), 'seats', { user: 'user' }),
    ...licenses.filter(isOverfull).map(({ _id }) => `${_id} with more machines than seats`),
    ...between(events, 'subject', licenses, undefined, { accountId: 'user' }),
    ...between(
      events.filter(({ type }) => type === 'license.created' || type === 'license.imported'),
      'subject',
      withOne(licenses, 'event of its creation'),
      'event of its creation',
    ),
    ...projects
      .filter(({ _id, licensesCount }) => licensesCount === 0 || isDeleted(_id))
      .map(({ _id }) => `${_id} without a license, or deleted and there`),
  ];
}

const hasTask = (tasks: readonly AnyRecord[], project: unknown, work: string) =>
  tasks.some((task) => task.project === project && task.work === work);

/** Licenses by seat group id; a replaced license has none. */
const seatGroupsOf = (licenses: readonly AnyRecord[]) =>
  licenses.flatMap((license) =>
    license.seatsOf === null ? [] : [{ ...license, _id: license.seatsOf as string }],
  );

const isOverfull = ({ seats, maxMachines }: AnyRecord) => Number(seats) > Number(maxMachines);

const withOne = (records: readonly AnyRecord[], counter: string) =>
  records.map((record) => ({ ...record, [counter]: 1 }));

/**
 * @param reference the child's field with the parent's id
 * @param counter the parent's field with the number of children
 * @param same the child's fields that must equal fields of its parent
 */
function between(
  children: readonly AnyRecord[],
  reference: string,
  parents: readonly AnyRecord[],
  counter?: string,
  same: Readonly<Record<string, string>> = {},
): string[] {
  const byId = new Map(parents.map((parent) => [parent._id, parent]));
  const counts = new Map<unknown, number>();
  for (const child of children) {
    counts.set(child[reference], (counts.get(child[reference]) ?? 0) + 1);
  }
  const wrong = children.flatMap((child) => {
    const parent = byId.get(String(child[reference]));
    if (!parent) return [`${child._id} without its ${reference}`];
    const others = Object.entries(same).filter(([own, its]) => child[own] !== parent[its]);
    return others.map(([own]) => `${child._id} with another ${own} than its ${reference}`);
  });
  const miscounted = parents.filter(
    (parent) => counter !== undefined && parent[counter] !== (counts.get(parent._id) ?? 0),
  );
  return [...wrong, ...miscounted.map(({ _id }) => `${_id} with a wrong ${counter}`)];
}

async function readAll<R extends Stored>(store: Store, collection: Collection<R>) {
  const records: R[] = [];
  for (let after: ListPosition | undefined; ;) {
    const order = { by: '_id' as FieldOf<R>, direction: 'asc' } as const;
    const page = await store.list(collection, {}, order, { limit: PAGE_SIZE, after });
    records.push(...page);
    if (page.length < PAGE_SIZE) return records as unknown as AnyRecord[];
    after = { value: page.at(-1)!._id, _id: page.at(-1)!._id };
  }
}
