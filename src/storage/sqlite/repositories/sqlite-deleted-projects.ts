import { Injectable } from '@nestjs/common';
import type { AccountId } from '../../../shared/ids/account-id.js';
import { SqliteStore } from '../connection/sqlite-store.js';

interface DeletedProject {
  readonly _id: string;
  readonly owner: string;
}

/** The condition that a license is not of a deleted project. The column is `project`. */
export const IS_NOT_DELETED = 'project NOT IN (SELECT _id FROM deleted_projects)';

/**
 * The deleted projects whose licenses are still stored. Nobody sees these licenses: reads outside of a write ask this
 * class, and statements have the condition {@link IS_NOT_DELETED}.
 */
@Injectable()
export class SqliteDeletedProjects {
  /** As committed: a write that changes them drops it, and nothing reads it before the end of that write's batch. */
  private committed: ReadonlyMap<string, DeletedProject> | undefined;
  private readonly selectAll;
  private readonly insertOne;
  private readonly deleteProject;
  private readonly deleteOne;

  constructor(store: SqliteStore) {
    this.selectAll = store.prepare(
      'SELECT _id, owner FROM deleted_projects ORDER BY deletedAt, _id',
    );
    this.insertOne = store.prepare(
      `INSERT INTO deleted_projects (_id, owner, deletedAt)
       SELECT _id, owner, $now FROM projects WHERE _id = $_id`,
    );
    this.deleteProject = store.prepare('DELETE FROM projects WHERE _id = ?');
    this.deleteOne = store.prepare('DELETE FROM deleted_projects WHERE _id = ?');
  }

  has(project: string): boolean {
    return this.all().has(project);
  }

  /** Those of an account, or all; the earliest deletion first. */
  list(owner?: AccountId): string[] {
    const projects = [...this.all().values()];
    return projects.filter((one) => !owner || one.owner === owner).map(({ _id }) => _id);
  }

  /** Deletes a project within a write. Its licenses stay stored, and nobody sees them from the commit on. */
  add(_id: string, now: Date): void {
    this.insertOne.run({ _id, now: now.getTime() });
    this.deleteProject.run(_id);
    this.committed = undefined;
  }

  /** Forgets a deleted project, within the write that deletes the last of its licenses. */
  remove(_id: string): void {
    this.deleteOne.run(_id);
    this.committed = undefined;
  }

  private all(): ReadonlyMap<string, DeletedProject> {
    this.committed ??= new Map(
      (this.selectAll.all() as unknown as DeletedProject[]).map((one) => [one._id, one]),
    );
    return this.committed;
  }
}
