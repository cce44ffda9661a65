import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { aLicense } from '../../../../test/builders/license.builder.js';
import { createdEvent } from '../../../licenses/license-event.js';
import { toAccountId } from '../../../shared/ids/account-id.js';
import { SqliteStore } from '../connection/sqlite-store.js';
import { SqliteLicenseEventsRepository } from './sqlite-license-events.repository.js';
import { SqliteLicenseTable } from './sqlite-license-table.js';

const CACHED = 20_000;

describe('SqliteLicenseTable', () => {
  let dataDir: string;
  let store: SqliteStore;
  let table: SqliteLicenseTable;
  beforeEach(() => {
    dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'license-table-'));
    store = SqliteStore.open(dataDir);
    store.database.exec('PRAGMA foreign_keys = OFF');
    table = new SqliteLicenseTable(store, new SqliteLicenseEventsRepository(store));
  });
  afterEach(() => {
    store.close();
    fs.rmSync(dataDir, { recursive: true });
  });

  it(`keeps the ${CACHED} licenses in memory that were read last, and no more`, async () => {
    const project = {
      _id: 'project',
      client: 'client',
      owner: toAccountId('user'),
      createdAt: new Date(0),
    };
    const { _id, keyHash, ...fields } = aLicense(project);
    const license = { _id, keyHash, ...fields };
    await store.write(() => table.insert(license, createdEvent(license)));
    const columns = Object.keys(fields).join(', ');
    store.database.exec(`
      WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${CACHED})
      INSERT INTO licenses (_id, keyHash, ${columns})
        SELECT 'license ' || n, 'hash ' || n, ${columns} FROM licenses, numbers`);
    const read = (number: number) => table.findByKeyHash(`hash ${number}`);

    const [first, second] = [read(0), read(1)];
    for (let number = 2; number < CACHED; number++) read(number);
    expect(read(0)).toBe(first);
    read(CACHED);
    expect(read(0)).toBe(first);
    expect(read(1)).toStrictEqual(second);
    expect(read(1)).not.toBe(second);
  });
});
