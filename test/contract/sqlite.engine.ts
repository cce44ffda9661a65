import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Test, type TestingModule } from '@nestjs/testing';
import { SqliteModule } from '../../src/storage/sqlite/sqlite.module.js';
import { SqliteStore } from '../../src/storage/sqlite/connection/sqlite-store.js';
import { NO_QUOTAS } from '../no-limits.js';
import { QuotasModule } from './quotas.module.js';
import { contradictionsIn } from './sqlite-contradictions.js';
import { type Engine, type Step, StoreUnderTest, type Table } from './store-under-test.js';

const failOn = (table: string) =>
  ['INSERT', 'UPDATE', 'DELETE'].map((write) =>
    injected(`BEFORE ${write} ON ${table}`, "SELECT RAISE(ABORT, 'injected failure')"),
  );

// A reference to a missing record, which SQLite only checks at the COMMIT.
const failAtCommitAfter = (write: string) =>
  injected(`AFTER ${write}`, "INSERT INTO injected_children (parent) VALUES ('nowhere')");

const FAILURES: Record<Step, string[]> = {
  client: failOn('clients'),
  project: failOn('projects'),
  license: failOn('licenses'),
  event: failOn('license_events'),
  'signing keys': failOn('signing_keys'),
  idempotency: failOn('idempotency_records'),
  totals: failOn('totals'),
  commit: [
    `CREATE TABLE IF NOT EXISTS injected_parents (_id TEXT PRIMARY KEY);
     CREATE TABLE IF NOT EXISTS injected_children (
       parent TEXT REFERENCES injected_parents DEFERRABLE INITIALLY DEFERRED
     )`,
    ...[
      'INSERT ON clients',
      'INSERT ON license_events',
      'UPDATE ON signing_keys',
      'DELETE ON projects',
    ].map(failAtCommitAfter),
  ],
};

function injected(event: string, body: string): string {
  const name = `injected_${event.toLowerCase().replaceAll(' ', '_')}`;
  return `CREATE TEMP TRIGGER ${name} ${event} BEGIN ${body}; END`;
}

export class SqliteUnderTest extends StoreUnderTest {
  private constructor(
    module: TestingModule,
    readonly dataDir: string,
  ) {
    super(module);
  }

  /** Opens a store in a new folder, or the one that was left in a folder. */
  static async open(dataDir?: string): Promise<SqliteUnderTest> {
    const folder = dataDir ?? fs.mkdtempSync(path.join(os.tmpdir(), 'license-store-'));
    const imports = [QuotasModule.of({ ...NO_QUOTAS }), SqliteModule.forRoot(folder, 'service')];
    const module = await Test.createTestingModule({ imports }).compile();
    return new SqliteUnderTest(await module.init(), folder);
  }

  private get database() {
    return this.module.get(SqliteStore).database;
  }

  async count(table: Table): Promise<number> {
    return this.database.prepare(`SELECT 1 FROM ${table}`).all().length;
  }

  async contradictions(): Promise<string[]> {
    return contradictionsIn(this.database);
  }

  async whileFailing<T>(step: Step, work: () => Promise<T>): Promise<T> {
    this.database.exec(FAILURES[step].join(';'));
    try {
      return await work();
    } finally {
      const triggers = this.database.prepare('SELECT name FROM temp.sqlite_schema').all();
      (triggers as { name: string }[]).forEach(({ name }) =>
        this.database.exec(`DROP TRIGGER ${name}`),
      );
    }
  }

  async close(): Promise<void> {
    await this.leave();
    fs.rmSync(this.dataDir, { recursive: true });
  }

  /** Closes the store and leaves its folder as it is. */
  async leave(): Promise<void> {
    await this.module.close();
  }
}

export const sqlite: Engine = {
  name: 'SQLite',
  open: () => SqliteUnderTest.open(),
};
