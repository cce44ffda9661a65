import fs from 'node:fs';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { useFolder } from '../../../../test/use-folder.js';
import { COLLECTIONS } from '../../../collections.js';
import { Codec, type Row } from '../codec.js';
import { migrate, SCHEMA, schemaVersion } from './migrate.js';

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
  events: `SELECT license_events.*, licenses.user AS accountId, licenses.project AS project,
      replace(type, 'refused', 'rejected') AS type
    FROM license_events, licenses WHERE license = licenses._id`,
  idempotency_records: 'SELECT _id, owner, requestHash, result, expiresAt FROM idempotency_records',
};

type Rows = Record<string, unknown>[];

describe('the migration of a store of version 0.5', () => {
  const folder = useFolder();
  let database: DatabaseSyncInstance;
  beforeEach(() => {
    fs.copyFileSync(RECORDED, folder('store'));
    database = new DatabaseSync(folder('store'), { enableForeignKeyConstraints: false });
  });
  afterEach(() => database.close());

  const all = (sql: string) => database.prepare(sql).all() as Rows;
  const columnsOf = (name: string, of = database) =>
    of.prepare('SELECT name, type, "notnull", pk FROM pragma_table_info(?)').all(name) as object[];

  it('keeps every record of each kind, with its values', () => {
    const before = Object.entries(EARLIER).map(([name, sql]) => [name, all(sql)] as const);
    migrate(database, COLLECTIONS);
    for (const [name, rows] of before) {
      const expected = rows.map((row) => ({ ...row, version: 1 }));
      expect([name, rows.length > 0]).toEqual([name, true]);
      const stored = all(`SELECT * FROM ${name}`);
      expect(stored).toHaveLength(rows.length);
      expect(stored).toEqual(expect.arrayContaining(expected));
    }
  });

  it('leaves the tables as they are declared, and nothing else', () => {
    migrate(database, COLLECTIONS);
    const fresh = new DatabaseSync(':memory:');
    migrate(fresh, COLLECTIONS);
    const names = 'SELECT type, name FROM sqlite_schema ORDER BY type, name';
    expect(all(names)).toEqual(fresh.prepare(names).all());
    for (const { name } of COLLECTIONS) {
      const columns = columnsOf(name);
      expect([name, columns]).toEqual([name, expect.arrayContaining(columnsOf(name, fresh))]);
      expect(columns).toHaveLength(columnsOf(name, fresh).length);
    }
    expect(all("SELECT name FROM sqlite_schema WHERE sql LIKE '%REFERENCES%'")).toEqual([]);
    expect(all('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    expect(schemaVersion(database)).toBe(SCHEMA);
    fresh.close();
  });

  it('leaves records that can be read, with the dates in their JSON', () => {
    migrate(database, COLLECTIONS);
    const records = COLLECTIONS.flatMap((collection) => {
      const codec = new Codec(collection);
      const select = `SELECT ${codec.columnList} FROM ${collection.name}`;
      const rows = database.prepare(select, { returnArrays: true }).all() as Row[];
      return rows.map((row) => codec.decode(row) as Record<string, unknown>);
    });
    const date: unknown = expect.any(Date);
    const retired = [expect.objectContaining({ retiredAt: date }) as unknown];
    const result: unknown = expect.objectContaining({ createdAt: date, updatedAt: date });
    expect(records).toContainEqual(
      expect.objectContaining({ retired: expect.arrayContaining(retired) as unknown }),
    );
    expect(records).toContainEqual(expect.objectContaining({ result, expiresAt: date }));
  });

  it('separates the signing keys', () => {
    const before = all('SELECT _id, keys FROM signing_keys');
    migrate(database, COLLECTIONS);
    const after = all('SELECT _id, current, next, retired FROM signing_keys');
    expect(after).toHaveLength(3);
    for (const { _id, current, next, retired } of after) {
      const keys = before.find((row) => row._id === _id)!.keys as string;
      const parts = [current, next, retired].map((part) => JSON.parse(part as string) as unknown);
      const whole = JSON.parse(keys) as Record<string, unknown>;
      expect(parts).toEqual([whole.current, whole.next, whole.retired]);
    }
  });

  it('makes a task of each deleted project whose licenses are still stored', () => {
    const [deleted] = all('SELECT * FROM deleted_projects');
    migrate(database, COLLECTIONS);
    expect(all('SELECT * FROM project_tasks')).toEqual([
      {
        ...{ _id: deleted!._id, version: 1, project: deleted!._id, accountId: deleted!.owner },
        ...{ work: 'remove', product: null, createdAt: deleted!.deletedAt },
      },
    ]);
  });

  it('gives each account its totals, and none to a deleted one', () => {
    const counts = { clientsCount: 0, projectsCount: 0, licensesCount: 0 };
    database.exec(`
      INSERT INTO users VALUES ('new', 'New', 'new@acme.test', 'hash', 1, 1, NULL);
      INSERT INTO totals VALUES ('deleted', 1, 2, 3);`);
    migrate(database, COLLECTIONS);
    const totals = all('SELECT * FROM totals');
    expect(totals.map(({ _id }) => _id).toSorted()).toEqual(
      all('SELECT _id FROM users ORDER BY _id').map(({ _id }) => _id),
    );
    expect(totals).toContainEqual({ _id: 'new', version: 1, ...counts });
  });

  it('drops idempotency records without an account', () => {
    database.exec("INSERT INTO idempotency_records VALUES ('early', 'hash', '{}', 9, NULL, NULL)");
    migrate(database, COLLECTIONS);
    expect(all("SELECT * FROM idempotency_records WHERE _id = 'early'")).toEqual([]);
  });

  it('changes nothing where it fails', () => {
    const schema = 'SELECT name, sql FROM sqlite_schema ORDER BY name';
    database.exec('CREATE TABLE new_users (of_another_program TEXT)');
    const before = all(schema);
    expect(() => migrate(database, COLLECTIONS)).toThrow('already exists');
    expect(all(schema)).toEqual(before);
    expect(schemaVersion(database)).toBe(9);
    expect(all('SELECT count(*) AS count FROM licenses')).toEqual([{ count: 24 }]);
  });
});
