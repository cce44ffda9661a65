import { Injectable } from '@nestjs/common';
import DataLoader from 'dataloader';
import { Types } from 'mongoose';
import type { License } from '../../../licenses/license.js';
import type { LicenseEvent } from '../../../licenses/license-event.js';
import {
  type Activation,
  type Certification,
  type Certified,
  type LicenseQuery,
  LicensesRepository,
  type Reissue,
  type Reissued,
  type Renewal,
  type Revocation,
} from '../../../licenses/licenses.repository.js';
import { Config } from '../../../shared/config/config.js';
import type { IdempotencyRecord } from '../../../shared/idempotency/idempotency-record.js';
import type { AccountId } from '../../../shared/ids/account-id.js';
import { type Page, type PageRequest, pageOf } from '../../../shared/pagination/page.js';
import { requestContext } from '../../../shared/request-context.js';
import { MongoStore } from '../connection/mongo-store.js';
import { statementOptions } from '../connection/statement-deadline.js';
import { type LicenseRecord, toLicense, WITHOUT_EVENTS } from '../schemas/license.schema.js';
import { listedLicenses } from './filters.js';
import {
  changeLicense,
  insertLicense,
  keyCollision,
  lastCertificateEnd,
} from './license-writes.js';
import { runOnce } from './mongo-idempotency.repository.js';
import { activationKey } from './mongo-license-events.repository.js';
import { addToTotals } from './totals.js';

/** Maximum of licenses that one statement looks up. */
const MAX_LOOK_UPS = 100;

/** Every read goes to the primary: another instance may have changed the license a moment ago. */
@Injectable()
export class MongoLicensesRepository extends LicensesRepository {
  /** Look-ups of one turn of the event loop are one statement: each reads the primary after its request has arrived. */
  private readonly lookUps = new DataLoader<string, License | null>(
    // Shared by several requests, so it has a deadline of its own.
    (keyHashes) => requestContext.exit(() => this.findByKeyHashes(keyHashes)),
    { cache: false, batchScheduleFn: setImmediate, maxBatchSize: MAX_LOOK_UPS },
  );

  constructor(
    private readonly store: MongoStore,
    private readonly config: Config,
  ) {
    super();
  }

  findByKeyHash(keyHash: string): Promise<License | null> {
    return this.store.untilDeadline(() => this.lookUps.load(keyHash));
  }

  private async findByKeyHashes(keyHashes: readonly string[]): Promise<(License | null)[]> {
    // Through the driver's own collection: building a query of Mongoose costs as much as sending it.
    const records = await this.store.run(
      ({ licenses }) =>
        licenses.collection
          .find(
            { keyHash: { $in: [...keyHashes] } },
            { projection: WITHOUT_EVENTS, ...statementOptions() },
          )
          .toArray(),
      'license check',
    );
    const found = new Map(
      (records as unknown as LicenseRecord[]).map((record) => [record.keyHash, toLicense(record)]),
    );
    return keyHashes.map((keyHash) => found.get(keyHash) ?? null);
  }

  async findOwned(_id: string, account: AccountId): Promise<License | null> {
    const owned = ownedLicense(_id, account);
    const record = await this.store.run(({ licenses }) =>
      licenses.findOne(owned, WITHOUT_EVENTS).lean(),
    );
    return record && toLicense(record);
  }

  async listOwned(
    account: AccountId,
    query: LicenseQuery,
    { limit, after }: PageRequest,
    now: Date,
  ): Promise<Page<License>> {
    const { sort, order } = query;
    const records = await this.store.run(({ licenses }) =>
      licenses
        .find(listedLicenses(account, query, after, now), WITHOUT_EVENTS)
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
      (tx) => changeLicense(tx, 'activate', license, { ...activation, updatedAt }, event),
      'license check',
    );
  }

  revoke(
    _id: string,
    account: AccountId,
    revocation: Revocation,
    event: LicenseEvent,
    idempotency?: IdempotencyRecord,
  ): Promise<License | null> {
    const license = ownedLicense(_id, account);
    const changes = { ...revocation, updatedAt: revocation.revokedAt };
    return runOnce(this.store, this.config.quotas, idempotency, _id, (tx) =>
      changeLicense(tx, 'revoke', license, changes, event),
    );
  }

  renew(
    { _id, user, termStart, termMonths }: License,
    renewal: Renewal,
    event: LicenseEvent,
    idempotency?: IdempotencyRecord,
  ): Promise<License | null> {
    const asRead = { ...ownedLicense(_id, user), termStart, termMonths };
    return runOnce(this.store, this.config.quotas, idempotency, _id, (tx) =>
      changeLicense(tx, 'renew', asRead, renewal, event),
    );
  }

  certify(
    { read, activation, certificate, event }: Certification,
    idempotency?: IdempotencyRecord,
  ): Promise<Certified | null> {
    const { _id, user, machineId, termStart, termMonths } = read;
    const owned = ownedLicense(_id, user);
    return runOnce(this.store, this.config.quotas, idempotency, _id, async (tx) => {
      if (activation) {
        const changes = { ...activation.fields, updatedAt: activation.fields.activatedAt };
        if (!(await changeLicense(tx, 'activate', owned, changes, activation.event))) return null;
      }
      const asRead = activation ? owned : { ...owned, machineId, termStart, termMonths };
      const license = await changeLicense(tx, 'certify', asRead, {}, event);
      return license && { license, certificate };
    });
  }

  async reissue(
    { revocation, replacement, events: [reissued, created] }: Reissue,
    idempotency?: IdempotencyRecord,
  ): Promise<Reissued | 'key_collision' | null> {
    const { replaces, user, project } = replacement;
    const replaced = ownedLicense(replaces, user);
    const changes = { ...revocation, updatedAt: revocation.revokedAt };
    const { quotas } = this.config;
    try {
      return await runOnce(this.store, quotas, idempotency, user, async (tx) => {
        const revoked = await changeLicense(tx, 'reissue', replaced, changes, reissued);
        if (!revoked) return null;
        const parent = { _id: new Types.ObjectId(project) };
        const $inc = { licensesCount: 1 };
        await tx.projects.updateOne(parent, { $inc }, { session: tx.session });
        const license = { ...replacement, product: revoked.product };
        await insertLicense(tx, license, created);
        await addToTotals(tx, replaced.user, { licensesCount: 1 }, quotas);
        const end = await lastCertificateEnd(tx, replaced._id);
        return { revoked, license, lastCertificateEnd: end };
      });
    } catch (error) {
      return keyCollision(error);
    }
  }
}

const ownedLicense = (_id: string, account: AccountId) => ({
  _id: new Types.ObjectId(_id),
  user: new Types.ObjectId(account),
});
