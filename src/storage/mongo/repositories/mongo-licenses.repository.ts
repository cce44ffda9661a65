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
import { MongoStore, type Transaction } from '../connection/mongo-store.js';
import { statementOptions } from '../connection/statement-deadline.js';
import {
  DELETED_PROJECTS,
  type DeletedProjectsRecord,
} from '../schemas/deleted-projects.schema.js';
import { type LicenseRecord, toLicense, WITHOUT_EVENTS } from '../schemas/license.schema.js';
import type { Models } from '../schemas/models.js';
import { readDeletedProjects, readSnapshot } from './deleted-projects.js';
import { listedLicenses } from './filters.js';
import { KeptProjects, keepProject } from './kept-projects.js';
import {
  changeLicense,
  insertLicense,
  keyCollision,
  lastCertificateEnd,
} from './license-writes.js';
import { runOnce } from './mongo-idempotency.repository.js';
import { addToTotals, creationKey } from './totals.js';

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

  private readonly projects: KeptProjects;

  constructor(
    private readonly store: MongoStore,
    private readonly config: Config,
  ) {
    super();
    this.projects = new KeptProjects(store);
  }

  findByKeyHash(keyHash: string): Promise<License | null> {
    return this.store.untilDeadline(() => this.lookUps.load(keyHash));
  }

  private async findByKeyHashes(keyHashes: readonly string[]): Promise<(License | null)[]> {
    // Through the driver's own collection: building a query of Mongoose costs as much as sending it.
    const records = (await this.store.run(
      ({ licenses }) =>
        licenses.collection
          .find(
            { keyHash: { $in: [DELETED_PROJECTS, ...keyHashes] } },
            { projection: WITHOUT_EVENTS, ...statementOptions() },
          )
          // The deleted projects are read first.
          .sort({ keyHash: 1 })
          .toArray(),
      'license check',
    )) as unknown as (LicenseRecord | DeletedProjectsRecord)[];
    const deleted = new Set<string>();
    const found = new Map<string, License>();
    for (const record of records) {
      if ('projects' in record) {
        record.projects.forEach(({ _id }) => deleted.add(_id.toHexString()));
      } else if (!deleted.has(record.project.toHexString())) {
        found.set(record.keyHash, toLicense(record));
      }
    }
    return keyHashes.map((keyHash) => found.get(keyHash) ?? null);
  }

  async findOwned(_id: string, account: AccountId): Promise<License | null> {
    const owned = ownedLicense(_id, account);
    const deleted = await this.store.run((models) => readDeletedProjects(models));
    const record = await this.store.run(({ licenses }) =>
      licenses.findOne(owned, WITHOUT_EVENTS).lean(),
    );
    const isShown = record && !deleted.some((project) => project._id.equals(record.project));
    return isShown ? toLicense(record) : null;
  }

  async listOwned(
    account: AccountId,
    query: LicenseQuery,
    { limit, after }: PageRequest,
    now: Date,
  ): Promise<Page<License>> {
    const { sort, order } = query;
    const user = new Types.ObjectId(account);
    const records = await readSnapshot(this.store, user, ({ session, isNotDeleted }) =>
      this.store.run(({ licenses }) =>
        licenses
          .find(
            { $and: [isNotDeleted, listedLicenses(account, query, after, now)] },
            WITHOUT_EVENTS,
          )
          .sort({ [sort]: order, _id: order })
          .limit(limit + 1)
          .session(session)
          .readConcern('snapshot')
          .lean(),
      ),
    );
    const positionOf = (license: License) => ({ time: license[sort], _id: license._id });
    return pageOf(records.map(toLicense), limit, positionOf);
  }

  async activate(
    _id: string,
    activation: Activation,
    event: LicenseEvent,
  ): Promise<License | null> {
    const license = { _id: new Types.ObjectId(_id) };
    const changes = { ...activation, updatedAt: activation.activatedAt };
    const activated = await this.store.run(
      (models) => changeLicense(models, 'activate', license, changes, [event]),
      'license check',
    );
    return activated && (await this.projects.keep(activated.project)) ? activated : null;
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
    return this.change(
      idempotency,
      (models) => changeLicense(models, 'revoke', license, changes, [event]),
      ({ project }) => project,
    );
  }

  renew(
    { _id, user, project, termStart, termMonths }: License,
    renewal: Renewal,
    event: LicenseEvent,
    idempotency?: IdempotencyRecord,
  ): Promise<License | null> {
    const asRead = { ...ownedLicense(_id, user), termStart, termMonths };
    return this.change(
      idempotency,
      (models) => changeLicense(models, 'renew', asRead, renewal, [event]),
      () => project,
    );
  }

  certify(
    { read, activation, certificate, event }: Certification,
    idempotency?: IdempotencyRecord,
  ): Promise<Certified | null> {
    const { _id, user, machineId, termStart, termMonths } = read;
    const owned = ownedLicense(_id, user);
    const certify = async (models: Models & Partial<Transaction>) => {
      const license = activation
        ? await changeLicense(
            models,
            'activate',
            owned,
            { ...activation.fields, updatedAt: activation.fields.activatedAt },
            [activation.event, event],
          )
        : await changeLicense(
            models,
            'certify',
            { ...owned, machineId, termStart, termMonths },
            {},
            [event],
          );
      return license && { license, certificate };
    };
    return this.change(idempotency, certify, () => read.project);
  }

  async reissue(
    { revocation, replacement, events: [reissued, created] }: Reissue,
    idempotency?: IdempotencyRecord,
  ): Promise<Reissued | 'key_collision' | null> {
    const { replaces, user, client, project } = replacement;
    const replaced = ownedLicense(replaces, user);
    const changes = { ...revocation, updatedAt: revocation.revokedAt };
    const { quotas } = this.config;
    const key = creationKey(user, client);
    try {
      return await runOnce(this.store, quotas, idempotency, key, async (tx) => {
        const revoked = await changeLicense(tx, 'reissue', replaced, changes, [reissued]);
        if (!revoked) return null;
        const parent = { _id: new Types.ObjectId(project) };
        const $inc = { licensesCount: 1 };
        const kept = await tx.projects.updateOne(parent, { $inc }, { session: tx.session });
        if (kept.matchedCount === 0) return null;
        const license = { ...replacement, product: revoked.product };
        await insertLicense(tx, license, created);
        await addToTotals(
          tx,
          replaced.user,
          new Types.ObjectId(client),
          { licensesCount: 1 },
          quotas,
        );
        const end = await lastCertificateEnd(tx, replaced._id);
        return { revoked, license, lastCertificateEnd: end };
      });
    } catch (error) {
      return keyCollision(error);
    }
  }

  /**
   * Changes a license of a project that is not deleted meanwhile: of the two, one is acknowledged. It is one statement,
   * or a transaction with its idempotency record.
   */
  private async change<T extends object>(
    idempotency: IdempotencyRecord | undefined,
    work: (models: Models & Partial<Transaction>) => Promise<T | null>,
    projectOf: (changed: T) => string,
  ): Promise<T | null> {
    if (!idempotency) {
      const changed = await this.store.run(work);
      return changed && (await this.projects.keep(projectOf(changed))) ? changed : null;
    }
    const { quotas } = this.config;
    return runOnce(this.store, quotas, idempotency, idempotency.owner, async (tx) => {
      const changed = await work(tx);
      return changed && (await keepProject(tx, projectOf(changed))) ? changed : null;
    });
  }
}

const ownedLicense = (_id: string, account: AccountId) => ({
  _id: new Types.ObjectId(_id),
  user: new Types.ObjectId(account),
});
