import DataLoader from 'dataloader';
import { Types } from 'mongoose';
import { requestContext } from '../../../shared/request-context.js';
import type { MongoStore, Transaction } from '../connection/mongo-store.js';
import { statementOptions } from '../connection/statement-deadline.js';
import type { ProjectRecord } from '../schemas/project.schema.js';

type Deletable = Pick<ProjectRecord, '_id' | 'deletion'>;

/** Maximum of projects that one statement reads. */
const MAX_READ = 100;

/**
 * Keeps projects whose licenses become or stay ACTIVE. A deletion announces itself in the project, then looks for active
 * licenses, and commits only if the announcement is still there. A change of a license commits, then removes an
 * announcement that it finds. So each of the two finds the other, if both are under way.
 */
export class KeptProjects {
  private readonly records = new DataLoader<string, Deletable | undefined>(
    // Shared by several requests, so it has a deadline of its own.
    (projects) => requestContext.exit(() => this.read(projects)),
    { cache: false, batchScheduleFn: setImmediate, maxBatchSize: MAX_READ },
  );

  constructor(private readonly store: MongoStore) {}

  /** To be called after the change of a license. Returns false where its project has been deleted. */
  async keep(project: string): Promise<boolean> {
    for (;;) {
      const record = await this.store.untilDeadline(() => this.records.load(project));
      if (record && !record.deletion) return true;
      // Also where it is missing: a write waits until a majority has the deletion, so that the next look-up finds it.
      const kept = record ?? { _id: new Types.ObjectId(project) };
      const { matchedCount } = await this.store.run(
        ({ projects }) => projects.updateOne(kept, { $unset: { deletion: 1 } }),
        'license check',
      );
      if (matchedCount === 1) return true;
      if (!record) return false;
    }
  }

  private async read(projects: readonly string[]): Promise<(Deletable | undefined)[]> {
    const ids = [...new Set(projects)].map((project) => new Types.ObjectId(project));
    const records = await this.store.run(
      (models) =>
        models.projects.collection
          .find(
            { _id: { $in: ids } },
            // What a new primary knows may take a moment to become majority committed again.
            { projection: { deletion: 1 }, readConcern: { level: 'local' }, ...statementOptions() },
          )
          .toArray(),
      'license check',
    );
    const found = new Map(
      (records as unknown as Deletable[]).map((record) => [record._id.toHexString(), record]),
    );
    return projects.map((project) => found.get(project));
  }
}

/**
 * As {@link KeptProjects.keep}, within a transaction whose result is stored for a repeated request: it changes the
 * project's record, so it conflicts with a deletion.
 */
export async function keepProject(
  { projects, session }: Transaction,
  project: string,
): Promise<boolean> {
  const { matchedCount } = await projects.updateOne(
    { _id: new Types.ObjectId(project) },
    { $inc: { keptCount: 1 }, $unset: { deletion: 1 } },
    { session },
  );
  return matchedCount === 1;
}
