import { Types } from 'mongoose';
import type { MongoStore, Transaction } from '../connection/mongo-store.js';
import type { ProjectRecord } from '../schemas/project.schema.js';
import { addDeletedProject } from './deleted-projects.js';
import { hasStatus } from './filters.js';
import { changeTotals } from './totals.js';

/** The condition by which a project is found. */
type Condition = Partial<Pick<ProjectRecord, '_id' | 'owner'>>;

/**
 * Deletes a project. Its licenses stay stored, and nobody sees them from the commit on.
 *
 * @param activeAt keeps a project with a license that is ACTIVE and has not expired at this time; undefined deletes it, too
 * @throws DomainError OVERLOADED where too many deleted projects still have licenses
 */
export async function deleteProject(
  store: MongoStore,
  key: string,
  condition: Condition,
  activeAt: Date | undefined,
): Promise<'deleted' | 'not_found' | 'has_active_licenses'> {
  for (;;) {
    const project = await announce(store, condition);
    if (!project) return 'not_found';
    const outcome = await store.transaction(key, (tx) => deleteAnnounced(tx, project, activeAt));
    // Its license became active and expired or was revoked again, or another deletion of it was under way.
    if (outcome !== 'taken_back') return outcome;
  }
}

/** Announces the deletion, before active licenses are looked for; see {@link KeptProjects}. */
function announce(store: MongoStore, condition: Condition): Promise<ProjectRecord | null> {
  // Deletions of the same project share an announcement: replacing it would make each of them begin again.
  const deletion = { $ifNull: ['$deletion', new Types.ObjectId()] };
  return store.run(({ projects }) =>
    projects
      .findOneAndUpdate(condition, [{ $set: { deletion } }], {
        returnDocument: 'after',
        updatePipeline: true,
      })
      .lean(),
  );
}

async function deleteAnnounced(
  tx: Transaction,
  { _id, deletion = null }: ProjectRecord,
  activeAt: Date | undefined,
): Promise<'deleted' | 'has_active_licenses' | 'taken_back'> {
  const { clients, projects, licenses, session } = tx;
  if (activeAt) {
    const active = { project: _id, ...hasStatus('ACTIVE', activeAt) };
    if (await licenses.exists(active).session(session)) {
      await projects.updateOne({ _id, deletion }, { $unset: { deletion: 1 } }, { session });
      return 'has_active_licenses';
    }
  }
  // As it is now: licenses may have been added since the announcement.
  const project = await projects.findOneAndDelete({ _id, deletion }, { session }).lean();
  if (!project) return 'taken_back';
  const { owner, client, licensesCount } = project;
  await addDeletedProject(tx, { _id, owner });
  await clients.updateOne({ _id: client }, { $inc: { projectsCount: -1 } }, { session });
  await changeTotals(tx, owner, { projectsCount: -1, licensesCount: -licensesCount });
  return 'deleted';
}
