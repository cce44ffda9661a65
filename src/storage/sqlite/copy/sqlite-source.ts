import { StartupError } from '../../../shared/errors/startup-error.js';
import type { AnyCollection, Stored } from '../../collection.js';
import { Codec, quoted, type Row } from '../codec.js';
import { SqliteStore } from '../connection/sqlite-store.js';
import { requireStore } from '../connection/store-folder.js';
import { isBusy } from '../connection/write-queue.js';

/** Records that are read at once. A license has at most some 2 KB. */
const PAGE = 1_000;

/** A store that nobody else writes to: it is read in the order of the ids, in pages. */
export class SqliteSource {
  private constructor(
    readonly store: SqliteStore,
    readonly collections: readonly AnyCollection[],
    private readonly dataDir: string,
  ) {}

  /** @throws StartupError where there is no store, or it is in use, damaged or of an earlier version */
  static async open(dataDir: string, collections: readonly AnyCollection[]): Promise<SqliteSource> {
    requireStore(dataDir);
    const store = SqliteStore.open(dataDir, collections, 'command');
    try {
      // Commands such as `npm run user` write without owning the store: this lock keeps them from it.
      store.database.exec('BEGIN IMMEDIATE');
      return new SqliteSource(store, collections, dataDir);
    } catch (error) {
      await store.close();
      if (!isBusy(error)) throw unreadable(dataDir, error);
      throw new StartupError(`A command writes to the store in ${dataDir}: let it end first.`);
    }
  }

  count({ name }: AnyCollection): number {
    const [[count]] = this.read(`SELECT count(*) FROM ${quoted(name)}`) as [[number]];
    return count;
  }

  /** The records of a collection in pages, in the order of their ids. */
  *pages(collection: AnyCollection): Generator<Stored[]> {
    const codec = new Codec(collection);
    const table = quoted(collection.name);
    const sql = `SELECT ${codec.columnList} FROM ${table} WHERE _id > ? ORDER BY _id LIMIT ${PAGE}`;
    for (let last: string | undefined = ''; last !== undefined;) {
      const page: Stored[] = this.read(sql, last).map((row) => codec.decode(row));
      if (page.length > 0) yield page;
      last = page.at(-1)?._id;
    }
  }

  async close(): Promise<void> {
    // SQLite ends the transaction itself after some errors.
    if (this.store.database.isTransaction) this.store.database.exec('ROLLBACK');
    await this.store.close();
  }

  private read(sql: string, ...parameters: string[]): Row[] {
    try {
      const statement = this.store.database.prepare(sql, { returnArrays: true });
      return statement.all(...parameters) as Row[];
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
