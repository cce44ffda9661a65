import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import {
  DeletedLicensesRepository,
  LICENSES_AT_ONCE,
} from '../../../shared/deletion/deleted-licenses.repository.js';
import { MongoStore, type Transaction } from '../connection/mongo-store.js';
import { forgetDeletedProject, readDeletedProjects } from './deleted-projects.js';
import { deleteLicenses } from './license-writes.js';

@Injectable()
export class MongoDeletedLicensesRepository extends DeletedLicensesRepository {
  constructor(private readonly store: MongoStore) {
    super();
  }

  async removeSome(): Promise<'removed' | 'nothing_left'> {
    const projects = await this.store.run((models) => readDeletedProjects(models));
    for (const { _id } of projects) {
      await this.store.transaction(`removal of ${_id.toHexString()}`, (tx) => removeOf(tx, _id));
    }
    return projects.length > 0 ? 'removed' : 'nothing_left';
  }
}

async function removeOf(tx: Transaction, project: Types.ObjectId): Promise<void> {
  const removed = await deleteLicenses(tx, project, LICENSES_AT_ONCE);
  if (removed < LICENSES_AT_ONCE) await forgetDeletedProject(tx, project);
}
