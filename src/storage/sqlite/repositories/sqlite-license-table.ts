import { Injectable } from '@nestjs/common';
import type { StatementSyncInstance } from '@photostructure/sqlite';
import { LRUCache } from 'lru-cache';
import type { License } from '../../../licenses/license.js';
import type { LicenseEvent } from '../../../licenses/license-event.js';
import { storedStatusesBefore, type Transition } from '../../../licenses/license-transitions.js';
import type {
  Activation,
  Certification,
  Renewal,
  Revocation,
} from '../../../licenses/licenses.repository.js';
import { maxEntries } from '../../../shared/bounded-cache.js';
import type { AccountId } from '../../../shared/ids/account-id.js';
import { SqliteStore } from '../connection/sqlite-store.js';
import { insertInto, type Row, toLicense, toRow } from './rows.js';
import { IS_NOT_DELETED, SqliteDeletedProjects } from './sqlite-deleted-projects.js';
import { SqliteLicenseEventsRepository } from './sqlite-license-events.repository.js';

/** Maximum of cached licenses, about 1 KB each. */
const CACHED_LICENSES = 20_000;

const COLUMNS = [
  '_id',
  'keyHash',
  'sealedKey',
  'duration',
  'issuedAt',
  'expiresAt',
  'termStart',
  'termMonths',
  'services',
  'status',
  'user',
  'client',
  'project',
  'product',
  'machineId',
  'activatedAt',
  'revokedAt',
  'revokedReason',
  'replaces',
  'createdAt',
  'updatedAt',
];

const allows = (transition: Transition) =>
  `${IS_NOT_DELETED} AND status IN (${storedStatusesBefore(transition)
    .map((status) => `'${status}'`)
    .join(', ')})`;

/** The license still has the term with which it was read. */
const HAS_TERM = 'termStart = $readStart AND termMonths = $readMonths';

const termOf = ({ termStart, termMonths }: License) => ({
  readStart: termStart.getTime(),
  readMonths: termMonths,
});

/**
 * The table of licenses, with a cache by the keyed hash of their keys. This process owns the store, so a cached license
 * is current until a write changes it. Every statement that changes or deletes licenses is in this class, and removes
 * them from the cache before its write is committed; nothing can read in between.
 */
@Injectable()
export class SqliteLicenseTable {
  private readonly cache = new LRUCache<string, License>(maxEntries(CACHED_LICENSES));
  private readonly selectByKeyHash;
  private readonly selectActive;
  private readonly insertOne;
  private readonly activateOne;
  private readonly revokeOne;
  private readonly selectUnchanged;
  private readonly renewOne;
  private readonly setProductOf;
  private readonly deleteSome;

  constructor(
    store: SqliteStore,
    private readonly events: SqliteLicenseEventsRepository,
    private readonly deletedProjects: SqliteDeletedProjects,
  ) {
    this.selectByKeyHash = store.prepare('SELECT * FROM licenses WHERE keyHash = ?');
    this.selectActive = store.prepare(
      `SELECT 1 FROM licenses WHERE project = ? AND status = 'ACTIVE' AND expiresAt > ? LIMIT 1`,
    );
    this.insertOne = store.prepare(
      `${insertInto('licenses', COLUMNS)} ON CONFLICT (keyHash) DO NOTHING`,
    );
    this.activateOne = store.prepare(
      `UPDATE licenses SET status = 'ACTIVE', machineId = $machineId, activatedAt = $activatedAt,
         issuedAt = $issuedAt, expiresAt = $expiresAt, termStart = $termStart,
         termMonths = $termMonths, updatedAt = $activatedAt
       WHERE _id = $_id AND user = ifnull($user, user) AND ${allows('activate')} RETURNING *`,
    );
    this.revokeOne = store.prepare(
      `UPDATE licenses SET status = 'REVOKED', revokedAt = $revokedAt,
         revokedReason = $revokedReason, updatedAt = $revokedAt
       WHERE _id = $_id AND user = $user AND ${allows('revoke')} RETURNING *`,
    );
    this.selectUnchanged = store.prepare(
      `SELECT * FROM licenses WHERE _id = $_id AND user = $user AND ${allows('certify')}
         AND machineId = $machineId AND ${HAS_TERM}`,
    );
    this.renewOne = store.prepare(
      `UPDATE licenses SET expiresAt = $expiresAt, termStart = $termStart,
         termMonths = $termMonths, updatedAt = $updatedAt
       WHERE _id = $_id AND user = $user AND ${allows('renew')}
         AND ${HAS_TERM} RETURNING *`,
    );
    this.setProductOf = store.prepare(
      'UPDATE licenses SET product = ? WHERE project = ? AND product IS NULL RETURNING keyHash',
    );
    this.deleteSome = store.prepare(
      `DELETE FROM licenses WHERE _id IN
         (SELECT _id FROM licenses WHERE project = ? LIMIT ?) RETURNING keyHash`,
    );
  }

  findByKeyHash(keyHash: string): License | null {
    const license = this.cache.get(keyHash) ?? this.readByKeyHash(keyHash);
    return license && !this.deletedProjects.has(license.project) ? license : null;
  }

  /** Bypasses the cache: within a write, the license found may still be rolled back. */
  hasKey(keyHash: string): boolean {
    return this.selectByKeyHash.get(keyHash) !== undefined;
  }

  hasActive(project: string, now: Date): boolean {
    return this.selectActive.get(project, now.getTime()) !== undefined;
  }

  /** Inserts a license with the event of its creation; nothing where another license has its key. */
  insert(license: License, created: LicenseEvent): 'inserted' | 'key_collision' {
    if (this.insertOne.run(toRow(license)).changes === 0) return 'key_collision';
    this.events.insert(created);
    return 'inserted';
  }

  /**
   * Like every change here, returns the changed license, or null where the condition did not hold.
   *
   * @param account that has the license; null for shipped software, which knows its key
   */
  activate(
    _id: string,
    account: AccountId | null,
    activation: Activation,
    event: LicenseEvent,
  ): License | null {
    return this.change(this.activateOne, { _id, user: account, ...toRow(activation) }, event);
  }

  revoke(
    _id: string,
    account: AccountId,
    revocation: Revocation,
    event: LicenseEvent,
  ): License | null {
    return this.change(this.revokeOne, { _id, user: account, ...toRow(revocation) }, event);
  }

  /** @param read the license as it was read: it is renewed only if its term is still the same */
  renew(read: License, renewal: Renewal, event: LicenseEvent): License | null {
    const condition = { _id: read._id, user: read.user, ...termOf(read) };
    return this.change(this.renewOne, { ...condition, ...toRow(renewal) }, event);
  }

  /** @param read the license as it was read: it must still have the same machine and term */
  certify({ read, activation, event }: Certification): License | null {
    const { _id, user, machineId } = read;
    const certified = activation
      ? this.activate(_id, user, activation.fields, activation.event)
      : this.findUnchanged({ _id, user, machineId, ...termOf(read) });
    if (certified) this.events.insert(event);
    return certified;
  }

  /** Gives the licenses of a project its product, unless they have it. */
  setProduct(project: string, product: string): void {
    this.evict(this.setProductOf.all(product, project) as { keyHash: string }[]);
  }

  /**
   * Deletes licenses of a project with their events.
   *
   * @returns the number of deleted licenses
   */
  deleteOf(project: string, limit: number): number {
    const deleted = this.deleteSome.all(project, limit) as { keyHash: string }[];
    this.evict(deleted);
    return deleted.length;
  }

  private readByKeyHash(keyHash: string): License | null {
    const row = this.selectByKeyHash.get(keyHash) as Row | undefined;
    if (!row) return null;
    const license = toLicense(row);
    this.cache.set(keyHash, license);
    return license;
  }

  private findUnchanged(read: Row): License | null {
    const row = this.selectUnchanged.get(read) as Row | undefined;
    return row ? toLicense(row) : null;
  }

  private evict(changed: readonly { keyHash: string }[]): void {
    changed.forEach(({ keyHash }) => this.cache.delete(keyHash));
  }

  private change(statement: StatementSyncInstance, row: Row, event: LicenseEvent): License | null {
    const changed = statement.get(row) as Row | undefined;
    if (!changed) return null;
    const license = toLicense(changed);
    this.events.insert(event);
    this.cache.delete(license.keyHash);
    return license;
  }
}
