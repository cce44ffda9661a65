import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, Types } from 'mongoose';
import type { License } from '../../licenses/license.js';
import type { LicenseEvent } from '../../licenses/license-event.js';
import {
  type Activation,
  type LicenseQuery,
  LicensesRepository,
  type Reissue,
  type Reissued,
  type Renewal,
  type Revocation,
} from '../../licenses/licenses.repository.js';
import { type Page, type PageRequest, pageOf } from '../../shared/pagination/page.js';
import type { IdempotencyRecord } from '../../shared/idempotency/idempotency-record.js';
import type { AccountId } from '../../shared/ids/account-id.js';
import { keyCollision } from './duplicate-key.js';
import { listed } from './license-filters.js';
import { MongoIdempotentWrites } from './mongo-idempotent-writes.js';
import { activationKey } from './mongo-license-events.repository.js';
import { MongoLicenseTransitions } from './mongo-license-transitions.js';
import { MongoNewLicenses } from './mongo-new-licenses.js';
import { MongoStore } from './mongo-store.js';
import { MongoTotals } from './mongo-totals.js';
import { toLicense } from './schemas/license.mapper.js';
import { LicenseRecord } from './schemas/license.schema.js';
import { ProjectRecord } from './schemas/project.schema.js';
import { statementOptions } from './statement-deadline.js';

/** Each look-up reads the primary: another instance may have changed the license a moment ago. */
@Injectable()
export class MongoLicensesRepository extends LicensesRepository {
  constructor(
    private readonly store: MongoStore,
    private readonly writes: MongoIdempotentWrites,
    private readonly totals: MongoTotals,
    private readonly transitions: MongoLicenseTransitions,
    private readonly newLicenses: MongoNewLicenses,
    @InjectModel(ProjectRecord.name) private readonly projects: Model<ProjectRecord>,
    @InjectModel(LicenseRecord.name) private readonly licenses: Model<LicenseRecord>,
  ) {
    super();
  }

  async findByKeyHash(keyHash: string): Promise<License | null> {
    // By the driver's own collection: building a query of Mongoose costs as much as sending it.
    const { collection } = this.licenses;
    const record = await this.store.run(
      () => collection.findOne({ keyHash: { $eq: keyHash } }, statementOptions()),
      'license check',
    );
    return record && toLicense(record as unknown as LicenseRecord);
  }

  async findOwned(_id: string, user: AccountId): Promise<License | null> {
    const owned = ownedLicense(_id, user);
    const record = await this.store.run(() => this.licenses.findOne(owned).lean());
    return record && toLicense(record);
  }

  async listOwned(
    user: AccountId,
    query: LicenseQuery,
    { limit, after }: PageRequest,
    now: Date,
  ): Promise<Page<License>> {
    const { sort, order } = query;
    const records = await this.store.run(() =>
      this.licenses
        .find(listed(user, query, after, now))
        .sort({ [sort]: order, _id: order })
        .limit(limit + 1)
        .lean(),
    );
    const positionOf = (license: License) => ({ time: license[sort], _id: license._id });
    return pageOf(records.map(toLicense), limit, positionOf);
  }

  activate(_id: string, activation: Activation, event: LicenseEvent): Promise<License | null> {
    const license = { _id: new Types.ObjectId(_id) };
    const updatedAt = activation.activatedAt;
    return this.store.transaction(
      activationKey(_id),
      (tx) => this.transitions.make('activate', license, { ...activation, updatedAt }, event, tx),
      'license check',
    );
  }

  revoke(
    _id: string,
    user: AccountId,
    revocation: Revocation,
    event: LicenseEvent,
    idempotency?: IdempotencyRecord,
  ): Promise<License | null> {
    const updatedAt = revocation.revokedAt;
    return this.writes.transaction(idempotency, _id, (tx) =>
      this.transitions.make(
        'revoke',
        ownedLicense(_id, user),
        { ...revocation, updatedAt },
        event,
        tx,
      ),
    );
  }

  renew(
    { _id, user, termStart, termMonths }: License,
    renewal: Renewal,
    event: LicenseEvent,
    idempotency?: IdempotencyRecord,
  ): Promise<License | null> {
    const asRead = { ...ownedLicense(_id, user), termStart, termMonths };
    return this.writes.transaction(idempotency, _id, (tx) =>
      this.transitions.make('renew', asRead, renewal, event, tx),
    );
  }

  async reissue(
    { revocation, replacement, events: [reissued, created] }: Reissue,
    idempotency?: IdempotencyRecord,
  ): Promise<Reissued | 'key_collision' | null> {
    const { replaces, user, project } = replacement;
    const replaced = ownedLicense(replaces, user);
    const updatedAt = revocation.revokedAt;
    try {
      return await this.writes.transaction(idempotency, user, async (tx) => {
        const revoked = await this.transitions.make(
          'reissue',
          replaced,
          { ...revocation, updatedAt },
          reissued,
          tx,
        );
        if (!revoked) return null;
        await this.projects.updateOne(
          { _id: new Types.ObjectId(project) },
          { $inc: { licensesCount: 1 } },
          { session: tx },
        );
        await this.newLicenses.insert(replacement, created, tx);
        await this.totals.change(replaced.user, { licensesCount: 1 }, tx);
        return { revoked, license: replacement };
      });
    } catch (error) {
      return keyCollision(error);
    }
  }
}

const ownedLicense = (_id: string, user: AccountId) => ({
  _id: new Types.ObjectId(_id),
  user: new Types.ObjectId(user),
});
