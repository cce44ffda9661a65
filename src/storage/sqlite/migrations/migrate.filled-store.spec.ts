import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { MIGRATIONS, migrate } from './migrate.js';

const NAMES = ['Acme', 'STRASSE & Söhne', 'Ｆｕｌｌ Ｗｉｄｔｈ', 'İstanbul', '🚀'];
const EMAILS = ['office', 'νίκος', 'ｗｉｄｅ', 'cafe\u0301', '🚀'].map((one) => `${one}@acme.test`);

/** Inserts these rows, their columns in the order of the table. */
function insert(database: DatabaseSyncInstance, table: string, rows: (string | number | null)[][]) {
  for (const row of rows) {
    const parameters = row.map(() => '?').join();
    database.prepare(`INSERT INTO ${table} VALUES (${parameters})`).run(...row);
  }
}

/** The rows of a store of schema 1: its clients have 0, 1, 2 and so on projects. */
const CLIENTS = NAMES.map((name, index) => [
  `client ${index}`,
  name,
  EMAILS[index]!,
  `user ${index % 2}`,
  1_000 + index,
  2_000 + index,
]);
const PROJECTS = NAMES.flatMap((_, client) =>
  Array.from({ length: client }, (_, index) => [
    `project ${client}.${index}`,
    'Shop',
    `client ${client}`,
    `user ${client % 2}`,
    3_000 + index,
    4_000 + index,
  ]),
);
const LICENSES = PROJECTS.flatMap(([project, , client, user], number) =>
  Array.from({ length: 1 + (number % 3) }, (_, index) => {
    const active = index % 2 === 0;
    return [
      ...[`license ${number}.${index}`, `hash ${number}.${index}`, 'sealed', 1 + (number % 12)],
      ...[5_000 + number, 6_000 + number, '["Hosting"]', active ? 'ACTIVE' : 'PENDING'],
      ...[user!, client!, project!, active ? 'machine 1' : null, active ? 5_000 + number : null],
      ...[null, null, 5_000 + number, 5_500 + number],
    ];
  }),
);

describe('migrate, on a store with records of schema 1', () => {
  let database: DatabaseSyncInstance;
  const all = (sql: string) => database.prepare(sql).all() as object[];
  const lengthOf = (rows: unknown[][], column: number, value: unknown) =>
    rows.filter((row) => row[column] === value).length;

  beforeEach(() => {
    database = new DatabaseSync(':memory:');
    database.exec(
      `PRAGMA foreign_keys = ON; BEGIN; ${MIGRATIONS[0]} PRAGMA user_version = 1; COMMIT`,
    );
    insert(database, 'clients', CLIENTS);
    insert(database, 'projects', PROJECTS);
    insert(database, 'licenses', LICENSES);
    migrate(database);
  });
  afterEach(() => database.close());

  it('is tested with records of every table', () => {
    expect([CLIENTS, PROJECTS, LICENSES].map((rows) => rows.length)).toEqual([5, 10, 19]);
  });

  it('leaves every record unchanged', () => {
    const columns = {
      clients: '_id, name, email, owner, createdAt, updatedAt',
      projects: '_id, name, client, owner, createdAt, updatedAt',
      licenses:
        '_id, keyHash, sealedKey, duration, issuedAt, expiresAt, services, status, user, client, ' +
        'project, machineId, activatedAt, revokedAt, revokedReason, createdAt, updatedAt',
    };
    const rows = { clients: CLIENTS, projects: PROJECTS, licenses: LICENSES };
    for (const table of ['clients', 'projects', 'licenses'] as const) {
      const kept = all(`SELECT ${columns[table]} FROM ${table} ORDER BY _id`);
      const before = rows[table].toSorted((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1));
      expect(kept.map((row) => Object.values(row) as unknown)).toEqual(before);
    }
  });

  it('gives each license the term with which it was issued, and marks none as a replacement', () => {
    const terms = all('SELECT _id, termStart, termMonths, replaces FROM licenses');
    const expected = LICENSES.map(([_id, , , duration, issuedAt]) => ({
      _id,
      termStart: issuedAt,
      termMonths: duration,
      replaces: null,
    }));
    expect(terms).toHaveLength(expected.length);
    expect(terms).toEqual(expect.arrayContaining(expected));
  });

  it('gives each client the search forms of its name and e-mail address', () => {
    expect(all('SELECT searchName, searchEmail FROM clients ORDER BY _id')).toEqual([
      { searchName: 'acme', searchEmail: 'office@acme.test' },
      { searchName: 'strasse & söhne', searchEmail: 'νίκοσ@acme.test' },
      { searchName: 'full width', searchEmail: 'wide@acme.test' },
      { searchName: 'i\u0307stanbul', searchEmail: 'caf\u00e9@acme.test' },
      { searchName: '🚀', searchEmail: '🚀@acme.test' },
    ]);
  });

  it('counts the records of each client, project and account', () => {
    expect(all('SELECT _id, projectsCount FROM clients ORDER BY _id')).toEqual(
      CLIENTS.map(([_id]) => ({ _id, projectsCount: lengthOf(PROJECTS, 2, _id) })),
    );
    expect(all('SELECT _id, licensesCount FROM projects ORDER BY _id')).toEqual(
      PROJECTS.map(([_id]) => ({ _id, licensesCount: lengthOf(LICENSES, 10, _id) })),
    );
    expect(all('SELECT * FROM totals ORDER BY owner')).toEqual(
      ['user 0', 'user 1'].map((owner) => ({
        owner,
        clientsCount: lengthOf(CLIENTS, 3, owner),
        projectsCount: lengthOf(PROJECTS, 3, owner),
        licensesCount: lengthOf(LICENSES, 8, owner),
      })),
    );
  });

  it('continues to count later writes', () => {
    const before = all("SELECT * FROM totals WHERE owner = 'user 1'")[0] as Record<string, number>;
    database.exec(`
      INSERT INTO clients (_id, name, email, owner, createdAt, updatedAt)
        VALUES ('new', 'New', 'new@acme.test', 'user 1', 1, 1);
      INSERT INTO projects (_id, name, client, owner, createdAt, updatedAt, licensesCount)
        VALUES ('new', 'Shop', 'new', 'user 1', 1, 1, 0);
      DELETE FROM licenses WHERE project = 'project 1.0';
      DELETE FROM projects WHERE _id = 'project 1.0';
    `);
    expect(all("SELECT * FROM totals WHERE owner = 'user 1'")).toEqual([
      {
        ...before,
        clientsCount: before.clientsCount! + 1,
        licensesCount: before.licensesCount! - lengthOf(LICENSES, 10, 'project 1.0'),
      },
    ]);
  });

  it('leaves no dangling reference', () => {
    expect(all('PRAGMA foreign_key_check')).toEqual([]);
    expect(all('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  });
});

it('migrate keeps the idempotency records of a store at schema 5', () => {
  const database = new DatabaseSync(':memory:');
  database.function('search_form', String);
  database.exec(`${MIGRATIONS.slice(0, 5).join(' ')} PRAGMA user_version = 5`);
  const records = [
    { _id: 'record 1', requestHash: 'hash', result: '{}', expiresAt: 9, owner: 'a', sequence: 1 },
    { _id: 'record 2', requestHash: 'hash', result: '1', expiresAt: 9, owner: 'a', sequence: 2 },
    {
      _id: 'record 3',
      requestHash: 'hash',
      result: '1',
      expiresAt: 8,
      owner: null,
      sequence: null,
    },
  ];
  insert(
    database,
    'idempotency_claims',
    records.map((record) => Object.values(record)),
  );
  migrate(database);
  const all = (sql: string) => database.prepare(sql).all() as object[];
  expect(all('SELECT * FROM idempotency_records ORDER BY _id')).toEqual(records);
  expect(all("SELECT name FROM sqlite_schema WHERE name LIKE '%claims%'")).toEqual([]);
  const indexes = all('PRAGMA index_list(idempotency_records)');
  const names = ['idempotency_records_by_expiry', 'idempotency_records_of_owner'];
  expect(indexes).toEqual(
    expect.arrayContaining(names.map((name) => expect.objectContaining({ name }) as object)),
  );
  const again = "INSERT INTO idempotency_records VALUES ('another', 'hash', '1', 9, 'a', 2)";
  expect(() => database.exec(again)).toThrow('UNIQUE');
  database.close();
});

it('migrate leaves the records of a store at schema 6 without a product and without a certificate', () => {
  const database = new DatabaseSync(':memory:');
  database.function('search_form', String);
  database.exec(`PRAGMA foreign_keys = ON; BEGIN; ${MIGRATIONS.slice(0, 6).join(' ')}
    PRAGMA user_version = 6; COMMIT`);
  database.exec(`
    INSERT INTO clients (_id, name, email, owner, createdAt, updatedAt)
      VALUES ('client', 'Acme', 'office@acme.test', 'user', 1, 2);
    INSERT INTO projects (_id, name, client, owner, createdAt, updatedAt, licensesCount)
      VALUES ('project', 'Shop', 'client', 'user', 3, 4, 0);
    INSERT INTO licenses (_id, keyHash, sealedKey, duration, issuedAt, expiresAt, termStart,
        termMonths, services, status, user, client, project, createdAt, updatedAt)
      VALUES ('license', 'hash', 'sealed', 6, 5, 6, 5, 6, '["Hosting"]', 'PENDING', 'user', 'client',
        'project', 7, 8);
    INSERT INTO license_events (_id, license, type, at, count) VALUES ('event', 'license', 'created', 7, 1);
  `);
  const all = (sql: string) => database.prepare(sql).all() as object[];
  const tables = ['clients', 'projects', 'licenses', 'license_events', 'totals'];
  const before = tables.map((table) => all(`SELECT * FROM ${table}`));
  migrate(database);
  const [clients, projects, licenses, events, totals] = before;
  expect(tables.map((table) => all(`SELECT * FROM ${table}`))).toEqual([
    clients,
    projects!.map((project) => ({ ...project, product: null })),
    licenses!.map((license) => ({ ...license, product: null })),
    events!.map((event) => ({ ...event, certificateExpiresAt: null })),
    totals,
  ]);
  expect(before.map((rows) => rows.length)).toEqual([1, 1, 1, 1, 1]);
  expect(all('SELECT * FROM signing_keys')).toEqual([]);
  expect(all('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  database.close();
});

it('migrate leaves a store at schema 1 unchanged where the next migration fails', () => {
  const database = new DatabaseSync(':memory:');
  database.exec(`${MIGRATIONS[0]} PRAGMA user_version = 1`);
  insert(database, 'clients', CLIENTS);
  // The last table of the migration exists already.
  database.exec('CREATE TABLE idempotency_claims (of_another_program TEXT)');
  const state = () =>
    [
      'SELECT * FROM sqlite_schema ORDER BY name',
      'SELECT * FROM clients',
      'PRAGMA user_version',
    ].map((sql) => database.prepare(sql).all() as object[]);
  const before = state();
  expect(() => migrate(database)).toThrow('already exists');
  expect(database.isTransaction).toBe(false);
  expect(state()).toEqual(before);
  database.close();
});
