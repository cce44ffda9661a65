import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import type { License } from '../../../licenses/license.js';
import type { Project } from '../../../projects/project.js';
import {
  type NewLicense,
  type ProjectChanges,
  type ProjectQuery,
  ProjectsRepository,
  type ProjectWithLicense,
} from '../../../projects/projects.repository.js';
import { Config } from '../../../shared/config/config.js';
import type { IdempotencyRecord } from '../../../shared/idempotency/idempotency-record.js';
import type { AccountId } from '../../../shared/ids/account-id.js';
import {
  byCreation,
  type Page,
  type PageRequest,
  pageOf,
} from '../../../shared/pagination/page.js';
import { MongoStore } from '../connection/mongo-store.js';
import { insertRecord } from '../connection/statement-deadline.js';
import { toProject, toProjectRecord } from '../schemas/project.schema.js';
import { deleteProject } from './delete-project.js';
import { comesAfter, ownedRecord } from './filters.js';
import { insertLicense, keyCollision } from './license-writes.js';
import { runOnce } from './mongo-idempotency.repository.js';
import { addToTotals, creationKey } from './totals.js';

@Injectable()
export class MongoProjectsRepository extends ProjectsRepository {
  constructor(
    private readonly store: MongoStore,
    private readonly config: Config,
  ) {
    super();
  }

  async createWithFirstLicense(
    project: Project,
    { license, event }: NewLicense,
    idempotency?: IdempotencyRecord,
  ): Promise<ProjectWithLicense | 'client_not_found' | 'key_collision'> {
    const record = toProjectRecord(project);
    const { quotas } = this.config;
    const key = creationKey(project.owner, project.client);
    try {
      return await runOnce(this.store, quotas, idempotency, key, async (tx) => {
        const { clients, projects, session } = tx;
        const { matchedCount } = await clients.updateOne(
          { _id: record.client, owner: record.owner },
          { $inc: { projectsCount: 1 } },
          { session },
        );
        if (matchedCount === 0) return 'client_not_found';
        await insertRecord(projects, record, session);
        await insertLicense(tx, license, event);
        const added = { projectsCount: 1, licensesCount: 1 };
        await addToTotals(tx, record.owner, record.client, added, quotas);
        return { project, license };
      });
    } catch (error) {
      return keyCollision(error);
    }
  }

  async addLicense(
    { license, event }: NewLicense,
    idempotency?: IdempotencyRecord,
  ): Promise<License | 'project_not_found' | 'key_collision'> {
    const project = ownedRecord(license.project, license.user);
    const { quotas } = this.config;
    const key = creationKey(license.user, license.client);
    try {
      return await runOnce(this.store, quotas, idempotency, key, async (tx) => {
        const { projects, session } = tx;
        const $inc = { licensesCount: 1 };
        const parent = await projects.findOneAndUpdate(project, { $inc }, { session }).lean();
        if (!parent) return 'project_not_found';
        const added = { ...license, product: toProject(parent).product };
        await insertLicense(tx, added, event);
        await addToTotals(tx, project.owner, parent.client, { licensesCount: 1 }, quotas);
        return added;
      });
    } catch (error) {
      return keyCollision(error);
    }
  }

  async findOwned(_id: string, account: AccountId): Promise<Project | null> {
    const record = await this.store.run(({ projects }) =>
      projects.findOne(ownedRecord(_id, account)).lean(),
    );
    return record && toProject(record);
  }

  async listOwned(
    account: AccountId,
    { client, product }: ProjectQuery,
    { limit, after }: PageRequest,
  ): Promise<Page<Project>> {
    const records = await this.store.run(({ projects }) =>
      projects
        .find({
          owner: new Types.ObjectId(account),
          ...(client !== undefined && { client: new Types.ObjectId(client) }),
          ...(product !== undefined && { product: { $eq: product } }),
          ...comesAfter(after, 'createdAt'),
        })
        .sort({ createdAt: -1, _id: -1 })
        .limit(limit + 1)
        .lean(),
    );
    return pageOf(records.map(toProject), limit, byCreation);
  }

  update(
    _id: string,
    account: AccountId,
    { name, product }: ProjectChanges,
    now: Date,
  ): Promise<Project | 'not_found' | 'has_product'> {
    const owned = ownedRecord(_id, account);
    const $set = {
      ...(name !== undefined && { name }),
      ...(product !== undefined && { product }),
      updatedAt: now,
    };
    const mayHave = product === undefined ? {} : { product: { $in: [null, product] } };
    return this.store.transaction(account, async ({ projects, licenses, session }) => {
      const options = { session, returnDocument: 'after' } as const;
      const record = await projects
        .findOneAndUpdate({ ...owned, ...mayHave }, { $set }, options)
        .lean();
      if (!record) {
        return (await projects.exists(owned).session(session)) ? 'has_product' : 'not_found';
      }
      if (product !== undefined) {
        const without = { project: owned._id, product: null };
        await licenses.updateMany(without, { $set: { product } }, { session });
      }
      return toProject(record);
    });
  }

  deleteWithLicenses(
    _id: string,
    account: AccountId,
    now: Date,
  ): Promise<'deleted' | 'not_found' | 'has_active_licenses'> {
    return deleteProject(this.store, account, ownedRecord(_id, account), now);
  }
}
