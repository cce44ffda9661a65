import { USERS } from '../src/auth/accounts/user.js';
import { BINNED } from '../src/bin/binned.js';
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
  const isLive = new Set(projects.map(({ _id }) => _id));
  const isLeft = ({ project }: AnyRecord) =>
    !isLive.has(String(project)) && hasTask(tasks, project, 'follow');
  const allLicenses = await readAll(store, LICENSES);
  const stored = allLicenses.filter((one) => !isLeft(one));
  const rows = await readAll(store, BINNED);
  const entries = rows.filter(({ isListed }) => isListed);
  const inBin = rows
    .filter(({ kind }) => kind === 'license')
    .map(({ record, isListed }): AnyRecord => ({ ...(record as AnyRecord), isListed }));
  // The licenses of a restored project come back one after the other.
  const licenses = [
    ...stored,
    ...inBin.filter(({ project, isListed }) => isLive.has(String(project)) && !isListed),
  ];
  const hidden = [...allLicenses.filter(isLeft), ...inBin];
  const areHidden = new Set(hidden.map(({ seatsOf }) => seatsOf));
  const machines = (await readAll(store, MACHINES)).filter(
    ({ license }) => !areHidden.has(license),
  );
  const seen = seatGroupsOf(stored);
  const ids = new Set(licenses.map(({ _id }) => _id));
  const events = (await readAll(store, EVENTS)).filter(({ subject }) => ids.has(String(subject)));
  const isLabelled = ({ product, project }: AnyRecord) =>
    product !== null || !hasTask(tasks, project, 'set_product');

  return [
    ...between(totals, '_id', withOne(users, 'totals'), 'totals'),
    ...between(signingKeys, '_id', users),
    ...between(clients, 'owner', totals, 'clientsCount'),
    ...between(projects, 'owner', totals, 'projectsCount'),
    ...between(licenses, 'user', totals, 'licensesCount'),
    ...between(entries.flatMap(withItsLicenses), 'accountId', totals, 'binnedCount'),
    ...between(projects, 'client', clients, 'projectsCount', { owner: 'owner' }),
    ...between(licenses, 'project', projects, 'licensesCount', { user: 'owner', client: 'client' }),
    ...between(stored.filter(isLabelled), 'project', projects, undefined, { product: 'product' }),
    ...between(machines, 'license', seen, 'seats', { user: 'user' }),
    ...licenses.filter(isOverfull).map(({ _id }) => `${_id} with more machines than seats`),
    ...between(events, 'subject', licenses, undefined, { accountId: 'user' }),
    ...between(
      events.filter(({ type }) => type === 'license.created' || type === 'license.imported'),
      'subject',
      withOne(licenses, 'event of its creation'),
      'event of its creation',
    ),
    ...projects
      .filter(({ licensesCount }) => licensesCount === 0)
      .map(({ _id }) => `${_id} without a license`),
    ...entries
      .filter(({ _id, kind }) => kind === 'project' && isLive.has(_id))
      .map(({ _id }) => `${_id} deleted and there`),
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

/** An entry of the bin once for each record that it stands for. */
const withItsLicenses = (entry: AnyRecord) =>
  Array.from({ length: 1 + Number(entry.licensesCount) }, () => entry);

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
