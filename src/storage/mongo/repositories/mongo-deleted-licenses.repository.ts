import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import {
  DeletedLicensesRepository,
  LICENSES_AT_ONCE,
} from '../../../shared/deletion/deleted-licenses.repository.js';
import { MongoStore } from '../connection/mongo-store.js';
import { forgetDeletedProject, readDeletedProjects } from './deleted-projects.js';

/** Single statements: no reader sees what they remove, and a step that is interrupted is repeated. */
@Injectable()
export class MongoDeletedLicensesRepository extends DeletedLicensesRepository {
  constructor(private readonly store: MongoStore) {
    super();
  }

  async removeSome(signal?: AbortSignal): Promise<'removed' | 'nothing_left'> {
    const projects = await this.store.run((models) => readDeletedProjects(models));
    for (const { _id } of projects) {
      if (signal?.aborted) break;
      await this.removeOf(_id);
    }
    return projects.length > 0 ? 'removed' : 'nothing_left';
  }

  private async removeOf(project: Types.ObjectId): Promise<void> {
    const found = await this.store.run(({ licenses }) =>
      licenses.find({ project }, { _id: 1 }).limit(LICENSES_AT_ONCE).lean(),
    );
    const ids = found.map(({ _id }) => _id);
    await this.store.run(({ licenseEvents }) =>
      licenseEvents.deleteMany({ license: { $in: ids } }),
    );
    await this.store.run(({ licenses }) => licenses.deleteMany({ _id: { $in: ids } }));
    if (ids.length < LICENSES_AT_ONCE) await forgetDeletedProject(this.store, project);
  }
}
