import type { ClientSession, Types } from 'mongoose';
import { DomainError } from '../../../shared/errors/domain-error.js';
import type { MongoStore, Transaction } from '../connection/mongo-store.js';
import { statementOptions } from '../connection/statement-deadline.js';
import {
  DELETED_PROJECTS,
  type DeletedProject,
  type DeletedProjectsRecord,
} from '../schemas/deleted-projects.schema.js';
import type { Models } from '../schemas/models.js';

/** Most deleted projects whose licenses are still stored: each look-up of license keys reads them. */
const MAX_DELETED = 100;
/** Most of them of one account: it takes no places from the others. */
const MAX_DELETED_OF_ACCOUNT = 50;

/** Statements of one session read the store as of the same moment. */
export interface Snapshot {
  readonly session: ClientSession;
  /** The condition that a license is not of a deleted project. */
  readonly isNotDeleted: { readonly project?: { readonly $nin: readonly Types.ObjectId[] } };
}

/**
 * Reads licenses of an account as of one moment: with all licenses of a project, or none.
 *
 * @param work its statements take the session, the read concern `snapshot` and the condition
 */
export function readSnapshot<T>(
  store: MongoStore,
  owner: Types.ObjectId,
  work: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  return store.snapshot(async (session) => {
    const deleted = await store.run((models) => readDeletedProjects(models, session));
    const ids = deleted.filter((one) => one.owner.equals(owner)).map(({ _id }) => _id);
    return work({ session, isNotDeleted: ids.length > 0 ? { project: { $nin: ids } } : {} });
  });
}

/**
 * The deleted projects whose licenses are still stored. A reader of licenses reads these first, or at the
 * same moment: so it knows which of the licenses are deleted.
 */
export async function readDeletedProjects(
  { licenses }: Models,
  session?: ClientSession,
): Promise<readonly DeletedProject[]> {
  const record = await licenses.collection.findOne(
    { keyHash: DELETED_PROJECTS },
    { ...(session && { session, readConcern: { level: 'snapshot' } }), ...statementOptions() },
  );
  return (record as unknown as DeletedProjectsRecord | null)?.projects ?? [];
}

/**
 * Adds a deleted project, in the transaction that deletes it.
 *
 * @throws DomainError OVERLOADED where too many have licenses that are still stored
 */
export async function addDeletedProject(
  { licenses, session }: Transaction,
  project: DeletedProject,
): Promise<void> {
  const record = await licenses.collection.findOneAndUpdate(
    { keyHash: DELETED_PROJECTS },
    { $push: { projects: project } as object },
    { session, upsert: true, returnDocument: 'after', ...statementOptions() },
  );
  const { projects } = record as unknown as DeletedProjectsRecord;
  const ofAccount = projects.filter(({ owner }) => owner.equals(project.owner));
  if (projects.length > MAX_DELETED || ofAccount.length > MAX_DELETED_OF_ACCOUNT) {
    throw new DomainError('OVERLOADED', {}, { rejectedBy: 'deleted_projects' });
  }
}

/** Forgets a deleted project, after the last of its licenses was removed. */
export async function forgetDeletedProject(
  store: MongoStore,
  project: Types.ObjectId,
): Promise<void> {
  const record = { keyHash: DELETED_PROJECTS };
  const $pull = { projects: { _id: project } } as object;
  await store.run(({ licenses }) =>
    licenses.collection.updateOne(record, { $pull }, statementOptions()),
  );
  const empty = { ...record, projects: { $size: 0 } };
  await store.run(({ licenses }) => licenses.collection.deleteOne(empty, statementOptions()));
}
