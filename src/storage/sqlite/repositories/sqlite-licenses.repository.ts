import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
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
import {
  type Page,
  type PageRequest,
  pageOf,
  type Position,
} from '../../../shared/pagination/page.js';
import type { IdempotencyRecord } from '../../../shared/idempotency/idempotency-record.js';
import type { AccountId } from '../../../shared/ids/account-id.js';
import { SqliteStore } from '../connection/sqlite-store.js';
import { licenseListStatement } from './license-list.statement.js';
import { type Row, startOf, toLicense } from './rows.js';
import { IS_NOT_DELETED, SqliteDeletedProjects } from './sqlite-deleted-projects.js';
import { SqliteIdempotencyRepository } from './sqlite-idempotency.repository.js';
import { SqliteLicenseEventsRepository } from './sqlite-license-events.repository.js';
import { SqliteLicenseTable } from './sqlite-license-table.js';
import { SqliteQuotas } from './sqlite-quotas.js';

/** Licenses that one statement reads where those of a deleted project are skipped; it takes a few milliseconds. */
const READ_AT_ONCE = 500;

@Injectable()
export class SqliteLicensesRepository extends LicensesRepository {
  private readonly selectOwned;

  constructor(
    private readonly store: SqliteStore,
    private readonly records: SqliteIdempotencyRepository,
    private readonly quotas: SqliteQuotas,
    private readonly licenses: SqliteLicenseTable,
    private readonly events: SqliteLicenseEventsRepository,
    private readonly deletedProjects: SqliteDeletedProjects,
  ) {
    super();
    this.selectOwned = store.prepare(
      `SELECT * FROM licenses WHERE _id = ? AND user = ? AND ${IS_NOT_DELETED}`,
    );
  }

  async findByKeyHash(keyHash: string): Promise<License | null> {
    return this.licenses.findByKeyHash(keyHash);
  }

  async findOwned(_id: string, account: AccountId): Promise<License | null> {
    const row = this.selectOwned.get(_id, account) as Row | undefined;
    return row ? toLicense(row) : null;
  }

  async listOwned(
    account: AccountId,
    query: LicenseQuery,
    { limit, after }: PageRequest,
    now: Date,
  ): Promise<Page<License>> {
    const positionOf = (license: License) => ({ time: license[query.sort], _id: license._id });
    const isShown = ({ project }: License) => !this.deletedProjects.has(project);
    let shown: License[] = [];
    for (let position = after; ;) {
      const skips = this.deletedProjects.list(account).length > 0;
      const atOnce = skips ? READ_AT_ONCE : limit + 1;
      const read = this.readListed(account, query, position, atOnce, now);
      // The earlier ones again: their project may have been deleted meanwhile.
      shown = [...shown, ...read].filter(isShown);
      const last = read.at(-1);
      if (shown.length > limit || read.length < atOnce || !last) {
        return pageOf(shown, limit, positionOf);
      }
      position = positionOf(last);
      // Lets other requests run between two statements.
      await setImmediate();
    }
  }

  private readListed(
    account: AccountId,
    query: LicenseQuery,
    after: Position | undefined,
    limit: number,
    now: Date,
  ): License[] {
    const { sql, parameters } = licenseListStatement(query, startOf(after, query.order), now);
    const rows = this.store.prepare(sql).all({ ...parameters, user: account, limit }) as Row[];
    return rows.map(toLicense);
  }

  activate(_id: string, activation: Activation, event: LicenseEvent): Promise<License | null> {
    return this.store.write(() => this.licenses.activate(_id, null, activation, event));
  }

  revoke(
    _id: string,
    account: AccountId,
    revocation: Revocation,
    event: LicenseEvent,
    idempotency?: IdempotencyRecord,
  ): Promise<License | null> {
    return this.records.runOnce(idempotency, () =>
      this.licenses.revoke(_id, account, revocation, event),
    );
  }

  renew(
    license: License,
    renewal: Renewal,
    event: LicenseEvent,
    idempotency?: IdempotencyRecord,
  ): Promise<License | null> {
    return this.records.runOnce(idempotency, () => this.licenses.renew(license, renewal, event));
  }

  certify(
    certification: Certification,
    idempotency?: IdempotencyRecord,
  ): Promise<Certified | null> {
    return this.records.runOnce(idempotency, () => {
      const license = this.licenses.certify(certification);
      return license && { license, certificate: certification.certificate };
    });
  }

  reissue(
    { revocation, replacement, events: [reissued, created] }: Reissue,
    idempotency?: IdempotencyRecord,
  ): Promise<Reissued | 'key_collision' | null> {
    return this.records.runOnce(idempotency, () => {
      // Before anything is written: a collision leaves nothing to undo.
      if (this.licenses.hasKey(replacement.keyHash)) return 'key_collision';
      const { replaces, user } = replacement;
      const revoked = this.licenses.revoke(replaces, user, revocation, reissued);
      if (!revoked) return null;
      const license = { ...replacement, product: revoked.product };
      this.licenses.insert(license, created);
      this.quotas.check(user, { licensesCount: 1 });
      return { revoked, license, lastCertificateEnd: this.events.lastCertificateEnd(replaces) };
    });
  }
}
