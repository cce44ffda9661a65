import { type Actor, currentActor, currentRequestId } from '../events/event.js';
import { LICENSES } from '../licenses/license.js';
import { type AccountId, newRecord } from '../shared/ids.js';
import { type Change, insert, setAll } from '../storage/changes.js';
import { collection, type RecordOf, field } from '../storage/collection.js';
import type { Project } from './project.js';

/** Maximum number of a project's licenses that one commit changes, so that other accounts' commits do not wait long. */
export const TURN_SIZE = 100;
/** Maximum number of licenses that follow their project per commit: each may have two events, with up to 20 deliveries each. */
export const FOLLOWED = 20;

const FIELDS = {
  _id: field.id(),
  project: field.id(),
  accountId: field.id<AccountId>(),
  /**
   * `follow`: moves licenses along with their project: into the bin, out of it, or to erasure;
   * `set_product`: sets the product of licenses that have none; `revoke`: revokes the licenses that were
   * created before the task.
   */
  work: field.text<'follow' | 'set_product' | 'revoke'>(),
  product: field.text().nullable(),
  /** Only for a revocation. */
  reason: field.text().nullable(),
  /** Whether licenses that `follow` into the bin are first reported as revoked. */
  revokes: field.boolean(),
  /** Who requested it, and the request. */
  by: field.json<Actor>(),
  requestId: field.text().nullable(),
  createdAt: field.time(),
};

/** Work on the licenses of a project that continues in steps after the request, because there may be many. */
export type ProjectTask = RecordOf<typeof FIELDS>;

export const PROJECT_TASKS = collection<ProjectTask>('project_tasks', {
  fields: FIELDS,
  unique: [['project', 'work']],
  indexes: [['accountId', '_id']],
  account: 'accountId',
});

/** Maximum number of pending tasks of an account; concurrent requests can exceed it slightly. */
export const MAX_TASKS = 1_000;

export const newProjectTask = (
  { _id: project, owner: accountId, product }: Pick<Project, '_id' | 'owner' | 'product'>,
  work: ProjectTask['work'],
  createdAt: Date,
  reason: string | null = null,
): ProjectTask => ({
  ...newRecord(),
  project,
  accountId,
  work,
  product,
  reason,
  revokes: false,
  createdAt,
  by: currentActor(),
  requestId: currentRequestId(),
});

/** A pending revocation, extended by a later one to the licenses created since. */
export const extendedBy = (pending: ProjectTask, later: ProjectTask): ProjectTask => {
  const { _id, version } = pending;
  const createdAt = later.createdAt > pending.createdAt ? later.createdAt : pending.createdAt;
  return { ...later, _id, version, createdAt };
};

/** Gives the licenses of a project its product: many of them by a task. */
export function productChanges(before: Project, after: Project): Change[] {
  const { _id, product, licensesCount, updatedAt } = after;
  if (product === before.product) return [];
  const set = setAll(LICENSES, { project: _id, product: before.product }, { product }, TURN_SIZE);
  if (licensesCount <= TURN_SIZE) return [set];
  return [insert(PROJECT_TASKS, newProjectTask(after, 'set_product', updatedAt))];
}
