import { Injectable } from '@nestjs/common';
import type { License } from '../../licenses/license.js';
import type { LicenseEvent } from '../../licenses/license-event.js';
import { storedStatusesBefore, type Transition } from '../../licenses/license-transitions.js';
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
import { LicenseCache } from './license-cache.js';
import { licenseListStatement } from './license-list.statement.js';
import { INSERT_LICENSE, toLicense } from './license.rows.js';
import { startOf } from './positions.js';
import { type Row, toRow } from './rows.js';
import { SqliteIdempotencyRepository } from './sqlite-idempotency.repository.js';
import { SqliteLicenseEventsRepository } from './sqlite-license-events.repository.js';
import { SqliteQuotas } from './sqlite-quotas.js';
import { SqliteStore } from './sqlite-store.js';

const mayBe = (transition: Transition) =>
  `status IN (${storedStatusesBefore(transition)
    .map((status) => `'${status}'`)
    .join(', ')})`;

@Injectable()
export class SqliteLicensesRepository extends LicensesRepository {
  private readonly selectByKeyHash;
  private readonly selectOwned;
  private readonly activateOne;
  private readonly revokeOne;
  private readonly renewOne;
  private readonly insert;

  constructor(
    private readonly store: SqliteStore,
    private readonly records: SqliteIdempotencyRepository,
    private readonly quotas: SqliteQuotas,
    private readonly events: SqliteLicenseEventsRepository,
    private readonly cache: LicenseCache,
  ) {
    super();
    this.selectByKeyHash = store.prepare('SELECT * FROM licenses WHERE keyHash = ?');
    this.selectOwned = store.prepare('SELECT * FROM licenses WHERE _id = ? AND user = ?');
    this.insert = store.prepare(INSERT_LICENSE);
    this.activateOne = store.prepare(
      `UPDATE licenses SET status = 'ACTIVE', machineId = $machineId, activatedAt = $activatedAt,
         issuedAt = $issuedAt, expiresAt = $expiresAt, termStart = $termStart,
         termMonths = $termMonths, updatedAt = $activatedAt
       WHERE _id = $_id AND ${mayBe('activate')} RETURNING *`,
    );
    this.revokeOne = store.prepare(
      `UPDATE licenses SET status = 'REVOKED', revokedAt = $revokedAt,
         revokedReason = $revokedReason, updatedAt = $revokedAt
       WHERE _id = $_id AND user = $user AND ${mayBe('revoke')} RETURNING *`,
    );
    this.renewOne = store.prepare(
      `UPDATE licenses SET expiresAt = $expiresAt, termStart = $termStart,
         termMonths = $termMonths, updatedAt = $updatedAt
       WHERE _id = $_id AND user = $user AND ${mayBe('renew')}
         AND termStart = $readStart AND termMonths = $readMonths RETURNING *`,
    );
  }

  async findByKeyHash(keyHash: string): Promise<License | null> {
    const cached = this.cache.get(keyHash);
    if (cached) return cached;
    const row = this.selectByKeyHash.get(keyHash) as Row | undefined;
    if (!row) return null;
    const license = toLicense(row);
    this.cache.set(keyHash, license);
    return license;
  }

  async findOwned(_id: string, user: AccountId): Promise<License | null> {
    const row = this.selectOwned.get(_id, user) as Row | undefined;
    return row ? toLicense(row) : null;
  }

  async listOwned(
    user: AccountId,
    query: LicenseQuery,
    { limit, after }: PageRequest,
    now: Date,
  ): Promise<Page<License>> {
    const start = startOf(after, query.order);
    const { sql, parameters } = licenseListStatement(query, start, now);
    const rows = this.store.prepare(sql).all({ ...parameters, user, limit: limit + 1 }) as Row[];
    const positionOf = (license: License) => ({ time: license[query.sort], _id: license._id });
    return pageOf(rows.map(toLicense), limit, positionOf);
  }

  activate(_id: string, activation: Activation, event: LicenseEvent): Promise<License | null> {
    return this.store.write(() =>
      this.changed(this.activateOne.get({ _id, ...toRow(activation) }), event),
    );
  }

  revoke(
    _id: string,
    user: AccountId,
    revocation: Revocation,
    event: LicenseEvent,
    idempotency?: IdempotencyRecord,
  ): Promise<License | null> {
    return this.store.write(() => {
      this.records.check(idempotency);
      const row: unknown = this.revokeOne.get({ _id, user, ...toRow(revocation) });
      const revoked = this.changed(row, event);
      return revoked && this.records.keep(idempotency, revoked);
    });
  }

  renew(
    { _id, user, termStart, termMonths }: License,
    renewal: Renewal,
    event: LicenseEvent,
    idempotency?: IdempotencyRecord,
  ): Promise<License | null> {
    return this.store.write(() => {
      this.records.check(idempotency);
      const read = { readStart: termStart.getTime(), readMonths: termMonths };
      const row: unknown = this.renewOne.get({ _id, user, ...read, ...toRow(renewal) });
      const renewed = this.changed(row, event);
      return renewed && this.records.keep(idempotency, renewed);
    });
  }

  reissue(
    { revocation, replacement, events: [reissuedEvent, createdEvent] }: Reissue,
    idempotency?: IdempotencyRecord,
  ): Promise<Reissued | 'key_collision' | null> {
    return this.store.write(() => {
      this.records.check(idempotency);
      // Before anything is written: a collision leaves nothing to undo.
      if (this.selectByKeyHash.get(replacement.keyHash)) return 'key_collision';
      const { replaces, user } = replacement;
      const row: unknown = this.revokeOne.get({ _id: replaces, user, ...toRow(revocation) });
      const revoked = this.changed(row, reissuedEvent);
      if (!revoked) return null;
      this.insert.run(toRow(replacement));
      this.quotas.check(user, { licensesCount: 1 });
      this.events.insert(createdEvent);
      return this.records.keep(idempotency, { revoked, license: replacement });
    });
  }

  /** Ends a change within its write: the license as it is now, or null where its condition did not hold. */
  private changed(row: unknown, event: LicenseEvent): License | null {
    if (!row) return null;
    const license = toLicense(row as Row);
    this.events.insert(event);
    // Before the commit, and nothing can read in between: no one sees the old state after it.
    this.cache.delete(license.keyHash);
    return license;
  }
}
