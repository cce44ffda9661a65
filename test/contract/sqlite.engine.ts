import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { MemoryRateLimitWindows } from '../../src/rate-limits/memory-rate-limit-windows.js';
import { MemoryWindows } from '../../src/rate-limits/memory-windows.js';
import { SystemClock } from '../../src/shared/time/clock.js';
import type { AnyCollection } from '../../src/storage/collection.js';
import { SqliteStore } from '../../src/storage/sqlite/connection/sqlite-store.js';
import { COLLECTIONS } from './records.js';
import type { Engine, StoreUnderTest } from './store-under-test.js';

export class SqliteUnderTest implements StoreUnderTest {
  readonly rateLimits = new MemoryRateLimitWindows(new MemoryWindows(new SystemClock()));

  private constructor(
    readonly store: SqliteStore,
    readonly dataDir: string,
  ) {}

  /** Opens a store in a new folder, or the one that was left in a folder. */
  static open(
    dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'license-store-')),
    collections: readonly AnyCollection[] = COLLECTIONS,
  ): SqliteUnderTest {
    return new SqliteUnderTest(SqliteStore.open(dataDir, collections), dataDir);
  }

  async join(): Promise<SqliteUnderTest> {
    return this;
  }

  async reopen(collections: readonly AnyCollection[]): Promise<SqliteUnderTest> {
    await this.leave();
    return SqliteUnderTest.open(this.dataDir, collections);
  }

  async close(): Promise<void> {
    await this.leave();
    fs.rmSync(this.dataDir, { recursive: true });
  }

  /** Closes the store and leaves its folder as it is. */
  async leave(): Promise<void> {
    await this.store.close();
  }
}

export const sqlite: Engine = {
  name: 'SQLite',
  instances: [1],
  open: async (collections) => SqliteUnderTest.open(undefined, collections),
};
