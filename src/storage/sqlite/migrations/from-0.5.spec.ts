import fs from 'node:fs';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { useFolder } from '../../../../test/use-folder.js';
import { SIGNING_KEYS, type SigningKeys } from '../../../certificates/signing-keys/signing-keys.js';
import { SYSTEM } from '../../../events/event.js';
import { COLLECTIONS } from '../../../collections.js';
import { Codec, type Row } from '../codec.js';
import { searchForm } from '../../../shared/fields/search-form.js';
import { DAY_MS, startOfDay } from '../../../shared/time/days.js';
import { fromJson, toJson } from '../json.js';
import { isUpToDate, migrate } from './migrate.js';

const RECORDED = 'test/recorded-store/0.5.sqlite';

/** The statements that give the rows of 0.5 as they are stored now, without versions, by table. */
const EARLIER: Readonly<Record<string, string>> = {
  deployment: 'SELECT item AS _id, value FROM deployment',
  users: 'SELECT * FROM users',
  sessions: 'SELECT * FROM sessions',
  login_addresses: 'SELECT * FROM login_addresses',
  clients: 'SELECT * FROM clients',
  projects: 'SELECT * FROM projects',
  licenses: 'SELECT * FROM licenses',
  totals: 'SELECT owner AS _id, clientsCount, projectsCount, licensesCount FROM totals',
  events: `SELECT license_events._id, licenses.user AS accountId, license AS subject, at, at AS storedAt, count,
      NULL AS lastAt, NULL AS subjectName, NULL AS actorName, NULL AS requestId,
      'license.' || replace(type, 'refused', 'rejected') AS type, ifnull(actor, license_events.machineId) AS actor,
      iif(actor IS NOT NULL, 'user', iif(license_events.machineId IS NULL, 'system', 'machine')) AS actorType,
      reason, license_events.machineId, certificateExpiresAt
    FROM license_events, licenses WHERE license = licenses._id`,
  idempotency_records: 'SELECT _id, owner, requestHash, result, expiresAt FROM idempotency_records',
};

type Rows = Record<string, unknown>[];

/** The row of a license of 0.5, which was bound to one machine, with what was declared since. */
function withMachines({ machineId, ...row }: Rows[number], certificateEnd: unknown, now: number) {
  const activatedAt = new Date(Number(row.activatedAt));
  const machine = {
    ...{ machineId, name: null, activatedAt, lastSeenAt: startOfDay(activatedAt) },
    ...{ leaseEndsAt: null, isCertified: false },
    certificateEndsAt: certificateEnd === undefined ? null : new Date(Number(certificateEnd)),
    isReleased: false,
  };
  return {
    ...row,
    ...{ machines: toJson(machineId === null ? [] : [machine]), maxMachines: 1 },
    ...{ days: null, termDays: 0, leaseSeconds: null, release: 'owner', releasedAt: '[]' },
    ...{ entitlements: '[]', metadata: '[]', externalId: null, plan: null },
    certificatesEndAt: certificateEnd ?? null,
    nextNoticeAt:
      [30, 7, 1, 0]
        .map((days) => Number(row.expiresAt) - days * DAY_MS)
        .find((notice) => row.status === 'ACTIVE' && notice > now) ?? null,
  };
}

/** The row of an event of 0.5 with what matters of it in one column. */
function withData({ reason, machineId, certificateExpiresAt, ...row }: Rows[number]) {
  const data = Object.entries({
    ...{ reason, machineId },
    certificateExpiresAt: certificateExpiresAt && new Date(Number(certificateExpiresAt)),
  });
  return { ...row, data: toJson(Object.fromEntries(data.filter(([, value]) => value))) };
}

describe('the migration of a store of version 0.5', () => {
  const folder = useFolder();
  let database: DatabaseSyncInstance;
  beforeEach(() => {
    fs.copyFileSync(RECORDED, folder('store'));
    database = new DatabaseSync(folder('store'), { enableForeignKeyConstraints: false });
  });
  afterEach(() => database.close());

  const all = (sql: string) => database.prepare(sql).all() as Rows;

  it('keeps every record of each kind, with its values', () => {
    const before = Object.entries(EARLIER).map(([name, sql]) => [name, all(sql)] as const);
    const certified = new Map(
      all(`SELECT license, max(certificateExpiresAt) AS end FROM license_events
        WHERE type = 'certificate_issued' GROUP BY license`).map(({ license, end }) => [
        license,
        end,
      ]),
    );
    const disabled = new Map(
      all('SELECT _id, disabledAt FROM users').map(({ _id, disabledAt }) => [_id, disabledAt]),
    );
    expect(certified.size).toBeGreaterThan(0);
    const now = Date.now();
    migrate(database, COLLECTIONS);
    for (const [name, rows] of before) {
      const expected = rows.map((row) => ({
        ...(name === 'licenses'
          ? withMachines(row, certified.get(row._id), now)
          : name === 'events'
            ? withData(row)
            : row),
        ...(name === 'projects' && { searchName: searchForm(String(row.name)) }),
        ...(name === 'totals' && { disabledAt: disabled.get(row._id) ?? null, webhooksCount: 0 }),
        ...(name === 'users' && { account: row._id, role: 'owner', disabledAt: null }),
        ...(name === 'sessions' && { accountId: row.user, lastUsedAt: row.startedAt }),
        ...(name === 'sessions' && { address: null, userAgent: null }),
        ...(name === 'login_addresses' && { accountId: row.user }),
        version: 1,
      }));
      expect([name, rows.length > 0]).toEqual([name, true]);
      const stored = all(`SELECT * FROM ${name}`);
      expect(stored).toHaveLength(rows.length);
      expect(stored).toEqual(expect.arrayContaining(expected));
    }
  });

  it('leaves the tables as they are declared, and nothing else', () => {
    migrate(database, COLLECTIONS);
    expect(isUpToDate(database, COLLECTIONS)).toBe(true);
    const fresh = new DatabaseSync(':memory:');
    migrate(fresh, COLLECTIONS);
    const names = 'SELECT type, name FROM sqlite_schema ORDER BY type, name';
    expect(all(names)).toEqual(fresh.prepare(names).all());
    const columns = `SELECT table_info.* FROM sqlite_schema, pragma_table_info(sqlite_schema.name) AS table_info`;
    const sorted = `${columns} ORDER BY sqlite_schema.name, table_info.name`;
    const declared = fresh.prepare(sorted).all() as Rows;
    const withoutPlaces = (rows: Rows) => rows.map((row) => ({ ...row, cid: 0, dflt_value: null }));
    expect(withoutPlaces(all(sorted))).toEqual(withoutPlaces(declared));
    expect(all("SELECT name FROM sqlite_schema WHERE sql LIKE '%REFERENCES%'")).toEqual([]);
    fresh.close();
  });

  it('separates the signing keys, and makes a task of each deleted project whose licenses are still stored', () => {
    const [deleted] = all('SELECT * FROM deleted_projects');
    const keysOf = new Map(
      all('SELECT _id, keys FROM signing_keys').map((row) => [row._id, row.keys]),
    );
    migrate(database, COLLECTIONS);
    const codec = new Codec(SIGNING_KEYS);
    const select = `SELECT ${codec.columnList} FROM signing_keys`;
    const rows = database.prepare(select, { returnArrays: true }).all() as Row[];
    expect(rows).toHaveLength(3);
    for (const row of rows) {
      const { _id, current, next, retired } = codec.decode<SigningKeys>(row);
      expect({ current, next, retired }).toEqual(fromJson(String(keysOf.get(_id))));
    }
    expect(all('SELECT * FROM project_tasks')).toEqual([
      {
        ...{ _id: deleted!._id, version: 1, project: deleted!._id, accountId: deleted!.owner },
        ...{ work: 'remove', product: null, reason: null, createdAt: deleted!.deletedAt },
        by: toJson(SYSTEM),
      },
    ]);
  });

  it('gives each account its totals, disabled where its login was, none to a deleted one, and drops idempotency records without an account', () => {
    const counts = { clientsCount: 0, projectsCount: 0, licensesCount: 0, webhooksCount: 0 };
    database.exec(`
      INSERT INTO users VALUES ('new', 'New', 'new@acme.test', 'hash', 1, 1, 5);
      INSERT INTO totals VALUES ('deleted', 1, 2, 3);
      INSERT INTO idempotency_records VALUES ('early', 'hash', '{}', 9, NULL, NULL)`);
    migrate(database, COLLECTIONS);
    const totals = all('SELECT * FROM totals');
    expect(totals.map(({ _id }) => _id).toSorted()).toEqual(
      all('SELECT _id FROM users ORDER BY _id').map(({ _id }) => _id),
    );
    expect(totals).toContainEqual({ _id: 'new', version: 1, ...counts, disabledAt: 5 });
    expect(all("SELECT * FROM idempotency_records WHERE _id = 'early'")).toEqual([]);
  });
});
