import fs from 'node:fs';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { COLLECTIONS as TEST_COLLECTIONS } from '../../../../test/contract/records.js';
import { useFolder } from '../../../../test/use-folder.js';
import { SYSTEM } from '../../../events/event.js';
import { COLLECTIONS } from '../../../collections.js';
import { searchForm } from '../../../shared/fields/search-form.js';
import { DAY_MS, startOfDay } from '../../../shared/time/days.js';
import { type AnyCollection, collection, text, time } from '../../collection.js';
import { toJson } from '../json.js';
import { isUpToDate, migrate, SCHEMA, schemaVersion } from './migrate.js';

const RECORDED = 'test/recorded-store/0.5.sqlite';

/** What gives the rows of 0.5 as they are stored now, without versions, by table. */
const EARLIER: Readonly<Record<string, string>> = {
  deployment: 'item AS _id, value FROM deployment',
  users: "*, _id AS account, 'owner' AS role, NULL AS disabledAt FROM users",
  sessions:
    '*, user AS accountId, startedAt AS lastUsedAt, NULL AS address, NULL AS userAgent FROM sessions',
  login_addresses: '*, user AS accountId FROM login_addresses',
  clients: '* FROM clients',
  projects: '*, search_form(name) AS searchName FROM projects',
  totals: `owner AS _id, clientsCount, projectsCount, licensesCount, disabledAt, 0 AS webhooksCount
    FROM totals, users WHERE owner = users._id`,
  // What else there is of an event is compared in test/e2e/recorded.
  events: `license_events._id, user AS accountId, license AS subject, at, at AS storedAt, count,
      NULL AS lastAt, NULL AS subjectName, NULL AS actorName, NULL AS requestId,
      ifnull(actor, license_events.machineId) AS actor,
      iif(actor IS NOT NULL, 'user', iif(license_events.machineId IS NULL, 'system', 'machine')) AS actorType
    FROM license_events, licenses WHERE license = licenses._id`,
  signing_keys: `_id, issuer, keys -> '$.current' AS current, keys -> '$.next' AS next,
      keys -> '$.retired' AS retired, rotations, createdAt, updatedAt
    FROM signing_keys`,
  idempotency_records: '_id, owner, requestHash, result, expiresAt FROM idempotency_records',
};

type Rows = Record<string, unknown>[];

const folder = useFolder();
let database: DatabaseSyncInstance;
afterEach(() => database.close());

const all = (sql: string, of = database) => of.prepare(sql).all() as Rows;

describe('the migration of a store of version 0.5', () => {
  beforeEach(() => {
    fs.copyFileSync(RECORDED, folder('store'));
    database = new DatabaseSync(folder('store'), { enableForeignKeyConstraints: false });
  });

  const expectStored = (name: string, rows: Rows) => {
    const expected = rows.map((row) => expect.objectContaining({ ...row, version: 1 }) as unknown);
    expect(expected).not.toEqual([]);
    const stored = all(`SELECT * FROM ${name}`);
    expect(stored).toHaveLength(expected.length);
    expect(stored).toEqual(expect.arrayContaining(expected));
  };

  it.each(Object.entries(EARLIER))('keeps every row of %s, with its values', (name, select) => {
    database.function('search_form', searchForm);
    const earlier = all(`SELECT ${select}`);
    migrate(database, COLLECTIONS);
    expectStored(name, earlier);
  });

  it('keeps every license, with the machine that it was bound to, and what was declared since', () => {
    const earlier = all(
      `SELECT licenses.*, max(certificateExpiresAt) AS certificatesEndAt
        FROM licenses LEFT JOIN license_events ON license = licenses._id GROUP BY licenses._id`,
    );
    expect(earlier.filter(({ certificatesEndAt }) => certificatesEndAt)).not.toEqual([]);
    const now = Date.now();
    migrate(database, COLLECTIONS);
    const expected = earlier.map(({ machineId, ...row }) => {
      const activatedAt = new Date(Number(row.activatedAt));
      const end = row.certificatesEndAt;
      const machine = {
        ...{ machineId, name: null, activatedAt, lastSeenAt: startOfDay(activatedAt) },
        ...{ leaseEndsAt: null, isCertified: false },
        ...{ certificateEndsAt: end ? new Date(Number(end)) : null, isReleased: false },
      };
      const notices = [30, 7, 1, 0].map((days) => Number(row.expiresAt) - days * DAY_MS);
      const ahead = notices.find((notice) => row.status === 'ACTIVE' && notice > now);
      return {
        ...{ ...row, machines: toJson(machineId === null ? [] : [machine]), maxMachines: 1 },
        ...{ days: null, termDays: 0, leaseSeconds: null, release: 'owner', releasedAt: '[]' },
        ...{ entitlements: '[]', metadata: '[]', externalId: null, plan: null },
        nextNoticeAt: ahead ?? null,
      };
    });
    expectStored('licenses', expected);
  });

  it('leaves the tables as they are declared, and nothing else', () => {
    migrate(database, COLLECTIONS);
    expect(isUpToDate(database, COLLECTIONS)).toBe(true);
    const fresh = new DatabaseSync(':memory:');
    migrate(fresh, COLLECTIONS);
    const names = 'SELECT type, name FROM sqlite_schema ORDER BY type, name';
    expect(all(names)).toEqual(all(names, fresh));
    const columns = `SELECT table_info.* FROM sqlite_schema, pragma_table_info(sqlite_schema.name) AS table_info`;
    const sorted = `${columns} ORDER BY sqlite_schema.name, table_info.name`;
    const withoutPlaces = (rows: Rows) => rows.map((row) => ({ ...row, cid: 0, dflt_value: null }));
    expect(withoutPlaces(all(sorted))).toEqual(withoutPlaces(all(sorted, fresh)));
    expect(all("SELECT name FROM sqlite_schema WHERE sql LIKE '%REFERENCES%'")).toEqual([]);
    fresh.close();
  });

  it('makes a task of each deleted project whose licenses are still stored', () => {
    const [deleted] = all('SELECT * FROM deleted_projects');
    migrate(database, COLLECTIONS);
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

const FIELDS = { _id: text(), name: text(), at: time() };

const declare = (changes: object = {}): AnyCollection =>
  collection<never>('records', { fields: FIELDS, indexes: [['name', 'at']], ...changes } as never);

describe('migrate', () => {
  beforeEach(() => void (database = new DatabaseSync(folder('store'))));

  const schema = (of = database) => all('SELECT * FROM sqlite_schema ORDER BY name', of);
  const insert = (sql: string) => () => database.exec(`INSERT INTO records ${sql}`);
  const migrateTo = (changes: object = {}) => migrate(database, [declare(changes)]);

  it('gives a new store every collection, and changes nothing in one that is up to date', () => {
    expect(isUpToDate(database, TEST_COLLECTIONS)).toBe(false);
    migrate(database, TEST_COLLECTIONS);
    expect(isUpToDate(database, TEST_COLLECTIONS)).toBe(true);
    expect(schemaVersion(database)).toBe(SCHEMA);
    const before = schema();
    database.exec("INSERT INTO labels VALUES ('kept', 'text', 1)");
    migrate(database, TEST_COLLECTIONS);
    expect(schema()).toEqual(before);
    expect(all('SELECT _id FROM labels')).toEqual([{ _id: 'kept' }]);
  });

  it('adds indexes, drops those that are declared no longer, and leaves tables that are not', () => {
    database.exec('CREATE TABLE other (a); CREATE INDEX other_by_a ON other (a)');
    migrateTo({ indexes: [['name'], ['name', 'at']] });
    migrateTo({ indexes: [['at']], unique: [['name']] });
    const names = all("SELECT name FROM sqlite_schema WHERE sql LIKE '%INDEX%' ORDER BY name");
    expect(names).toEqual(
      ['other_by_a', 'records_by_at', 'records_by_name'].map((name) => ({ name })),
    );
    insert("VALUES ('a', 'A', 1, 1)")();
    expect(insert("VALUES ('b', 'A', 1, 1)")).toThrow('UNIQUE');
  });

  it('leaves a store as it was where it fails half way', () => {
    database.exec('CREATE TABLE shelves (of_another_program TEXT)');
    expect(() => migrate(database, TEST_COLLECTIONS)).toThrow('Cannot add a PRIMARY KEY column');
    expect(database.isTransaction).toBe(false);
    const observer = new DatabaseSync(folder('store'));
    expect(schema(observer)).toMatchObject([{ name: 'shelves' }]);
    expect(schemaVersion(observer)).toBe(0);
    observer.close();
  });
});
