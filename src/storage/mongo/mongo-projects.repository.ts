import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, Types } from 'mongoose';
import type { License } from '../../licenses/license.js';
import type { Project } from '../../projects/project.js';
import {
  type NewLicense,
  ProjectsRepository,
  type ProjectWithLicense,
} from '../../projects/projects.repository.js';
import { byCreation, type Page, type PageRequest, pageOf } from '../../shared/pagination/page.js';
import type { IdempotencyRecord } from '../../shared/idempotency/idempotency-record.js';
import type { AccountId } from '../../shared/ids/account-id.js';
import { keyCollision } from './duplicate-key.js';
import { insertRecord } from './insert-record.js';
import { MongoIdempotentWrites } from './mongo-idempotent-writes.js';
import { MongoNewLicenses } from './mongo-new-licenses.js';
import { MongoProjectDeletion } from './mongo-project-deletion.js';
import { MongoStore } from './mongo-store.js';
import { MongoTotals } from './mongo-totals.js';
import { comesAfter } from './positions.js';
import { ClientRecord } from './schemas/client.schema.js';
import { ProjectRecord, toProject, toProjectRecord } from './schemas/project.schema.js';

@Injectable()
export class MongoProjectsRepository extends ProjectsRepository {
  constructor(
    private readonly store: MongoStore,
    private readonly writes: MongoIdempotentWrites,
    private readonly totals: MongoTotals,
    private readonly newLicenses: MongoNewLicenses,
    private readonly deletion: MongoProjectDeletion,
    @InjectModel(ClientRecord.name) private readonly clients: Model<ClientRecord>,
    @InjectModel(ProjectRecord.name) private readonly projects: Model<ProjectRecord>,
  ) {
    super();
  }

  async createWithFirstLicense(
    project: Project,
    { license, event }: NewLicense,
    idempotency?: IdempotencyRecord,
  ): Promise<ProjectWithLicense | 'client_not_found' | 'key_collision'> {
    const record = toProjectRecord(project);
    try {
      return await this.writes.transaction(idempotency, project.owner, async (tx) => {
        const { matchedCount } = await this.clients.updateOne(
          { _id: record.client, owner: record.owner },
          { $inc: { projectsCount: 1 } },
          { session: tx },
        );
        if (matchedCount === 0) return 'client_not_found';
        await insertRecord(this.projects, record, tx);
        await this.newLicenses.insert(license, event, tx);
        await this.totals.change(record.owner, { projectsCount: 1, licensesCount: 1 }, tx);
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
    const project = ownedProject(license.project, license.user);
    try {
      return await this.writes.transaction(idempotency, license.user, async (tx) => {
        const { matchedCount } = await this.projects.updateOne(
          project,
          { $inc: { licensesCount: 1 } },
          { session: tx },
        );
        if (matchedCount === 0) return 'project_not_found';
        await this.newLicenses.insert(license, event, tx);
        await this.totals.change(project.owner, { licensesCount: 1 }, tx);
        return license;
      });
    } catch (error) {
      return keyCollision(error);
    }
  }

  async findOwned(_id: string, owner: AccountId): Promise<Project | null> {
    const record = await this.store.run(() =>
      this.projects.findOne(ownedProject(_id, owner)).lean(),
    );
    return record && toProject(record);
  }

  async listOwned(
    owner: AccountId,
    client: string | undefined,
    { limit, after }: PageRequest,
  ): Promise<Page<Project>> {
    const records = await this.store.run(() =>
      this.projects
        .find({
          owner: new Types.ObjectId(owner),
          ...(client !== undefined && { client: new Types.ObjectId(client) }),
          ...comesAfter(after, 'createdAt'),
        })
        .sort({ createdAt: -1, _id: -1 })
        .limit(limit + 1)
        .lean(),
    );
    return pageOf(records.map(toProject), limit, byCreation);
  }

  async rename(_id: string, owner: AccountId, name: string, now: Date): Promise<Project | null> {
    const $set = { name, updatedAt: now };
    const record = await this.store.run(() =>
      this.projects
        .findOneAndUpdate(ownedProject(_id, owner), { $set }, { returnDocument: 'after' })
        .lean(),
    );
    return record && toProject(record);
  }

  deleteWithLicenses(
    _id: string,
    owner: AccountId,
    now: Date,
  ): Promise<'deleted' | 'not_found' | 'has_active_licenses'> {
    const project = ownedProject(_id, owner);
    return this.store.transaction(owner, (tx) => this.deletion.delete(project, now, tx));
  }
}

const ownedProject = (_id: string, owner: AccountId) => ({
  _id: new Types.ObjectId(_id),
  owner: new Types.ObjectId(owner),
});
