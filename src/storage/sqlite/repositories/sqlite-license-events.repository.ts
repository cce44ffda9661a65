import { Injectable } from '@nestjs/common';
import {
  BOUNDED_EVENT_TYPES,
  KEPT_EVENTS,
  type LicenseEvent,
} from '../../../licenses/license-event.js';
import { LicenseEventsRepository } from '../../../licenses/license-events.repository.js';
import { toAccountId } from '../../../shared/ids/account-id.js';
import { type Page, type PageRequest, pageOf } from '../../../shared/pagination/page.js';
import {
  insertInto,
  type Row,
  startOf,
  toDate,
  toDateOrNull,
  toRow,
  toTextOrNull,
} from './rows.js';
import { SqliteStore } from '../connection/sqlite-store.js';
import { IS_NOT_DELETED } from './sqlite-deleted-projects.js';

const COLUMNS = [
  '_id',
  'license',
  'type',
  'at',
  'actor',
  'machineId',
  'reason',
  'count',
  'termEndedAt',
  'certificateExpiresAt',
];

/** The license of an event is not of a deleted project. */
const IS_SHOWN = `license IN (SELECT _id FROM licenses WHERE _id = license AND ${IS_NOT_DELETED})`;

@Injectable()
export class SqliteLicenseEventsRepository extends LicenseEventsRepository {
  private readonly insertOne;
  private readonly addRejection;
  private readonly deleteBeyondBound;
  private readonly selectPage;
  private readonly selectTermEnds;
  private readonly selectCertificateEnd;

  constructor(private readonly store: SqliteStore) {
    super();
    this.insertOne = store.prepare(insertInto('license_events', COLUMNS));
    this.addRejection = store.prepare(
      `${insertInto('license_events', COLUMNS, `FROM licenses WHERE _id = $license AND ${IS_NOT_DELETED}`)}
       ON CONFLICT (_id) DO UPDATE SET
         count = count + 1, at = max(at, $at), machineId = $machineId`,
    );
    const ofType = 'license_events WHERE license = $license AND type = $type';
    this.deleteBeyondBound = store.prepare(
      `DELETE FROM ${ofType}
         AND _id NOT IN (SELECT _id FROM ${ofType} ORDER BY at DESC, _id DESC LIMIT ${KEPT_EVENTS})
         AND _id IS NOT (SELECT _id FROM ${ofType} AND certificateExpiresAt IS NOT NULL
                         ORDER BY certificateExpiresAt DESC, at DESC, _id DESC LIMIT 1)`,
    );
    this.selectPage = store.prepare(
      `SELECT * FROM license_events WHERE license = ? AND (at, _id) < (?, ?) AND ${IS_SHOWN}
       ORDER BY at DESC, _id DESC LIMIT ?`,
    );
    this.selectTermEnds = store.prepare(
      `SELECT termEndedAt FROM license_events
       WHERE license = ? AND termEndedAt IS NOT NULL AND ${IS_SHOWN}`,
    );
    this.selectCertificateEnd = store.prepare(
      `SELECT max(certificateExpiresAt) AS latest FROM license_events
       WHERE license = ? AND certificateExpiresAt IS NOT NULL`,
    );
  }

  async list(license: string, { limit, after }: PageRequest): Promise<Page<LicenseEvent>> {
    const { time, _id } = startOf(after, 'desc');
    const rows = this.selectPage.all(license, time, _id, limit + 1) as Row[];
    return pageOf(rows.map(toEvent), limit, ({ at, _id }) => ({ time: at, _id }));
  }

  async listTermEnds(license: string): Promise<Date[]> {
    const rows = this.selectTermEnds.all(license) as Row[];
    return rows.map(({ termEndedAt }) => toDate(termEndedAt));
  }

  /** The latest end of a license's certificates, within the write that revokes it. */
  lastCertificateEnd(license: string): Date | null {
    return toDateOrNull((this.selectCertificateEnd.get(license) as Row).latest);
  }

  recordRejection(event: LicenseEvent): Promise<void> {
    return this.store.write(() => {
      this.addRejection.run(toRow(event));
      this.bound(event);
    });
  }

  /** Stores an event within the write that it tells of. */
  insert(event: LicenseEvent): void {
    this.insertOne.run(toRow(event));
    this.bound(event);
  }

  /** Deletes the events that a license no longer keeps, after one was stored. */
  private bound({ license, type }: LicenseEvent): void {
    if (BOUNDED_EVENT_TYPES.has(type)) this.deleteBeyondBound.run({ license, type });
  }
}

export function toEvent(row: Row): LicenseEvent {
  return {
    _id: String(row._id),
    license: String(row.license),
    type: row.type as LicenseEvent['type'],
    at: toDate(row.at),
    actor: row.actor === null ? null : toAccountId(String(row.actor)),
    machineId: toTextOrNull(row.machineId),
    reason: toTextOrNull(row.reason),
    count: Number(row.count),
    termEndedAt: toDateOrNull(row.termEndedAt),
    certificateExpiresAt: toDateOrNull(row.certificateExpiresAt),
  };
}
