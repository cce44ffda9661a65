import { Injectable } from '@nestjs/common';
import {
  DeletedLicensesRepository,
  LICENSES_AT_ONCE,
} from '../../../shared/deletion/deleted-licenses.repository.js';
import { SqliteStore } from '../connection/sqlite-store.js';
import { SqliteDeletedProjects } from './sqlite-deleted-projects.js';
import { SqliteLicenseTable } from './sqlite-license-table.js';

@Injectable()
export class SqliteDeletedLicensesRepository extends DeletedLicensesRepository {
  constructor(
    private readonly store: SqliteStore,
    private readonly licenses: SqliteLicenseTable,
    private readonly deletedProjects: SqliteDeletedProjects,
  ) {
    super();
  }

  async removeSome(signal?: AbortSignal): Promise<'removed' | 'nothing_left'> {
    const projects = this.deletedProjects.list();
    for (const project of projects) {
      if (signal?.aborted) break;
      await this.store.write(() => this.removeOf(project));
    }
    return projects.length > 0 ? 'removed' : 'nothing_left';
  }

  private removeOf(project: string): void {
    const removed = this.licenses.deleteOf(project, LICENSES_AT_ONCE);
    if (removed < LICENSES_AT_ONCE) this.deletedProjects.remove(project);
  }
}
