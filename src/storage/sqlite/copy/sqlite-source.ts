import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { StartupError } from '../../../shared/errors/startup-error.js';
import type { Kind, StoredRecords } from '../../stored-records.js';
import { requireStore, SqliteStore } from '../connection/sqlite-store.js';
import { isBusy } from '../connection/write-queue.js';
import type { Row } from '../repositories/rows.js';
import { TABLES } from './tables.js';

/** Records that are read at once. A license has at most some 40 KB, so a page has 20 MB at most. */
const PAGE = 500;

/** A store that nobody else writes to: it is read in the order of the ids, in pages. */
export class SqliteSource {
  private constructor(
    private readonly store: SqliteStore,
    private readonly dataDir: string,
  ) {}

  /** @throws StartupError where there is no store, or it is in use, damaged or of an earlier version */
  static open(dataDir: string): SqliteSource {
    requireStore(dataDir);
    const store = SqliteStore.open(dataDir, 'copier');
    try {
      if (!store.checkpoint()) {
        throw new StartupError(
          `Another program, such as npm run backup, reads the store in ${dataDir}: let it end first.`,
        );
      }
      // Commands such as `npm run user` write without owning the store: this lock keeps them from it.
      store.database.exec('BEGIN IMMEDIATE');
      return new SqliteSource(store, dataDir);
    } catch (error) {
      store.close();
      if (!isBusy(error)) throw unreadable(dataDir, error);
      throw new StartupError(`A command writes to the store in ${dataDir}: let it end first.`);
    }
  }

  /** The data keys, wrapped with LICENSE_SECRET; undefined where the store was never used. */
  get wrappedKeys(): string | undefined {
    return this.pageAfter('deployment', '').find(({ _id }) => _id === 'data-keys')?.value;
  }

  /** Names the deployment: equal for every copy of the same store. */
  get deployment(): string {
    return createHash('sha256').update(String(this.wrappedKeys)).digest('base64url');
  }

  /** Differs after any write to the store: the file changes at the next checkpoint, which each opening makes. */
  get version(): string {
    const { size, mtimeNs } = fs.statSync(String(this.store.database.location()), { bigint: true });
    return `${size} bytes, ${mtimeNs}`;
  }

  count(kind: Kind): number {
    const sql = `SELECT count(*) AS count FROM ${TABLES[kind].from}`;
    return this.read(() => Number((this.store.prepare(sql).get() as Row).count));
  }

  /** The records of a kind in pages, in the order of their ids, from the first after an id on. */
  *pages<K extends Kind>(kind: K, after = ''): Generator<StoredRecords[K][]> {
    for (let last: string | undefined = after; last !== undefined;) {
      const page: StoredRecords[K][] = this.pageAfter(kind, last);
      if (page.length > 0) yield page;
      last = page.at(-1)?._id;
    }
  }

  close(): void {
    // SQLite ends the transaction itself after some errors.
    if (this.store.database.isTransaction) this.store.database.exec('ROLLBACK');
    this.store.close();
  }

  private pageAfter<K extends Kind>(kind: K, id: string): StoredRecords[K][] {
    const { from, toRecords } = TABLES[kind];
    const sql = `SELECT * FROM ${from} WHERE _id > ? ORDER BY _id LIMIT ${PAGE}`;
    return this.read(() => toRecords(this.store.prepare(sql).all(id) as Row[], this.store));
  }

  private read<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw unreadable(this.dataDir, error);
    }
  }
}

/** The operator's sentence for an error of SQLite; other errors as they are. */
const unreadable = (dataDir: string, error: unknown) =>
  (error as { code?: string }).code !== 'ERR_SQLITE_ERROR'
    ? error
    : new StartupError(
        `The store in ${dataDir} cannot be read (${(error as Error).message}): make its disk and its files intact, or ` +
          'restore a backup, and run the command again.',
      );
