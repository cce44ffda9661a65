import fs from 'node:fs';
import path from 'node:path';
import {
  DatabaseSync,
  type DatabaseSyncInstance,
  type StatementSyncInstance,
} from '@photostructure/sqlite';
import type { StoreHealth } from '../../../health/store-health.js';
import { makeDataFolder } from '../../../shared/config/data-folder.js';
import { StartupError } from '../../../shared/errors/startup-error.js';
import { type Metrics, NO_METRICS } from '../../../shared/metrics/metrics.js';
import type { StoreUser } from '../../store-user.js';
import { isUpToDate, migrate, MIGRATIONS, schemaVersion } from '../migrations/migrate.js';
import { ownStore, type Ownership } from './store-owner.js';
import { WriteQueue } from './write-queue.js';

export const STORE_FILE = 'licenses.sqlite';
export const OWNER_FILE = 'licenses.sqlite-owner';

/** WAL, each commit flushed to the disk before it is acknowledged. Opening waits for another's short write. */
const SETTINGS = `
  PRAGMA busy_timeout = 5000;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;
`;

/** Once it is open, waiting would block the event loop: the write queue waits instead. */
const NEVER_BLOCK = 'PRAGMA busy_timeout = 0';

/** With prepared statements open, close() does not checkpoint: do it, so that a copy of the file is complete. */
const CHECKPOINT = 'PRAGMA wal_checkpoint(TRUNCATE)';
const CHECKPOINT_TIMEOUT = 'PRAGMA busy_timeout = 1000';

/** The open store: one file of the data folder. */
export class SqliteStore implements StoreHealth {
  private readonly writes: WriteQueue;
  private readonly statements = new Map<string, StatementSyncInstance>();

  private constructor(
    readonly database: DatabaseSyncInstance,
    private readonly ownership: Ownership | undefined,
    metrics: Metrics,
  ) {
    this.writes = new WriteQueue(database, metrics);
  }

  /**
   * Opens the store of a data folder, creates it if it is missing, and brings its schema up to date, except for a copier.
   *
   * @throws StartupError where the folder cannot be used, or another process's use of the store
   *   forbids this one
   */
  static open(
    dataDir: string,
    user: StoreUser = 'service',
    metrics: Metrics = NO_METRICS,
  ): SqliteStore {
    let ownership: Ownership | undefined;
    let database: DatabaseSyncInstance | undefined;
    try {
      makeDataFolder(dataDir);
      if (user !== 'tool') ownership = own(dataDir);
      database = new DatabaseSync(privateFile(dataDir, STORE_FILE));
      database.exec(SETTINGS);
      // A tool needs the store for itself only to make it, or to bring it up to date.
      if (!isUpToDate(database)) {
        if (user === 'copier' && isOutdated(database)) throw outdated(dataDir);
        ownership ??= own(dataDir);
        migrate(database);
      }
      database.exec(NEVER_BLOCK);
      if (user === 'tool') ownership?.release();
      return new SqliteStore(database, user !== 'tool' ? ownership : undefined, metrics);
    } catch (error) {
      database?.close();
      ownership?.release();
      throw error instanceof StartupError ? error : unusable(dataDir, error as Error);
    }
  }

  /** Prepares each text once and keeps it: the number of texts must be bounded. */
  prepare(sql: string): StatementSyncInstance {
    const statement = this.statements.get(sql) ?? this.database.prepare(sql);
    this.statements.set(sql, statement);
    return statement;
  }

  /** Runs a write in a batch that shares one commit; see {@link WriteQueue.write}. */
  write<T>(run: () => T): Promise<T> {
    return this.writes.write(run);
  }

  async ping(): Promise<void> {
    this.prepare('SELECT item FROM deployment LIMIT 1').get();
  }

  /**
   * Writes all that is committed into the file of the store.
   *
   * @returns whether it did: another connection that reads the store keeps it from that
   */
  checkpoint(): boolean {
    this.database.exec(CHECKPOINT_TIMEOUT);
    const { busy } = this.database.prepare(CHECKPOINT).get() as { busy: number };
    return busy === 0;
  }

  close(): void {
    if (this.ownership) this.checkpoint();
    this.database.close();
    this.ownership?.release();
  }
}

/**
 * Commands that only read a store must not create one.
 *
 * @returns the file of the store
 * @throws StartupError where it is missing
 */
export function requireStore(dataDir: string): string {
  const file = path.join(dataDir, STORE_FILE);
  if (fs.existsSync(file)) return file;
  throw new StartupError(
    `There is no store in ${dataDir}: set DATA_DIR to the folder that has ${STORE_FILE}.`,
  );
}

/** @throws StartupError where another process owns the store of a data folder */
export function own(dataDir: string): Ownership {
  const ownership = ownStore(privateFile(dataDir, OWNER_FILE));
  if (ownership) return ownership;
  throw new StartupError(
    `Another process is using the store in ${dataDir}: stop it, or set another DATA_DIR.`,
  );
}

/** A file that its owner alone can read, as SQLite's own files beside it then are, too. */
function privateFile(dataDir: string, name: string): string {
  const file = path.join(dataDir, name);
  fs.closeSync(fs.openSync(file, 'a', 0o600));
  return file;
}

const isOutdated = (database: DatabaseSyncInstance) => schemaVersion(database) < MIGRATIONS.length;

const outdated = (dataDir: string) =>
  new StartupError(
    `The store in ${dataDir} was written by an earlier version: start the service of this version once, which ` +
      'migrates it, and stop it.',
  );

const unusable = (dataDir: string, cause: Error) =>
  new StartupError(
    `The store in ${dataDir} cannot be opened (${cause.message}): ` +
      'make the folder writable for this user and its files intact, or set another DATA_DIR.',
  );
