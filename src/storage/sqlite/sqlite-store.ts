import fs from 'node:fs';
import path from 'node:path';
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import type { Metrics } from '../../metrics/metrics.js';
import { currentDeadline, remainingTime, storeUnavailable } from '../../shared/request-context.js';
import { type Change, inOrder, recordsIn } from '../changes.js';
import { type AnyFilter, type Filter, isCoveredByIndex, readFilter } from '../filter.js';
import type { AnyCollection, Collection, FieldOf, Stored } from '../collection.js';
import { CommitQueue, type PendingCommit } from '../commit-queue.js';
import { StoreMetrics } from '../store-metrics.js';
import type { CountsByValue, Key, OpenMode, Order, Slice } from '../store.js';
import { turnOfRead } from '../turns.js';
import { type Committed, WritableStore } from '../writable-store.js';
import type { Row, Value } from './codec.js';
import { isBusy, isFull, type OpenDatabase, openDatabase } from './open-database.js';
import { Readers } from './readers.js';
import { selectCount, selectCountBy, selectList, selectNewestOf, type Sql } from './select.js';
import { ConditionFailed, Table } from './table.js';
import { setTimeout } from 'node:timers/promises';

/** Cache size per collection, in bytes. */
const CACHE_BYTES = 16 * 1024 * 1024;

/**
 * Lists and counts up to this size run on the main thread if an index alone serves them, which is faster
 * than a worker's reply.
 */
const SHORT_LIST = 20;
const SHORT_COUNT = 1_000;

/** Free bytes below which a disk counts as full, because the next writes would fail. */
const FULL = 4 * 1024 * 1024;

/** Writes the log into the file and empties it. Does less while others use the log. */
const CHECKPOINT = 'PRAGMA wal_checkpoint(TRUNCATE)';

/** The store in one file of a data folder. Writes, reads by key and short reads run on the main thread, the rest in workers. */
export class SqliteStore extends WritableStore {
  readonly database;
  private readonly file: string;
  private readonly ownership;
  private readonly commits: CommitQueue<Write>;
  private readonly readers: Readers;
  private readonly tables = new Map<AnyCollection, Table>();
  private readonly statements = new Map<string, StatementSyncInstance>();
  /** Changes with each commit of another process (`PRAGMA data_version`). */
  private cachedVersion: unknown;
  /**
   * Whether it was read in this iteration of the event loop. A read takes 3 µs, and later requests arrive
   * in a later iteration.
   */
  private isVersionRead = false;

  private constructor(
    { database, ownership }: OpenDatabase,
    collections: readonly AnyCollection[],
    metrics: StoreMetrics,
  ) {
    super();
    this.database = database;
    // For short reads, which no deadline interrupts.
    database.function('in_time', () => 1);
    this.ownership = ownership;
    const transaction = new WriteTransaction(database);
    this.commits = new CommitQueue((batch) => transaction.apply(batch), metrics);
    metrics.gaugeWaiting('commits', () => this.commits.size);
    this.file = String(database.location());
    metrics.file(this.file);
    this.readers = new Readers(this.file, metrics);
    for (const collection of collections) {
      const cacheBytes = collection.cached ? CACHE_BYTES : 0;
      const prepare = (sql: string) => this.prepare(sql);
      this.tables.set(collection, new Table(collection, prepare, cacheBytes));
    }
  }

  /** See {@link openDatabase}. */
  static open(
    dataDir: string,
    collections: readonly AnyCollection[],
    mode: OpenMode = 'service',
    metrics?: Metrics,
  ): SqliteStore {
    const opened = openDatabase(dataDir, collections, mode);
    return new SqliteStore(opened, collections, new StoreMetrics(metrics, 'sqlite'));
  }

  async find<R extends Stored>(collection: Collection<R>, key: Key<R>): Promise<R | null> {
    if (collection.cached) this.dropOutdated();
    return this.tableOf(collection).find(key) as R | null;
  }

  async list<R extends Stored>(
    collection: Collection<R>,
    filter: Filter<R>,
    order: Order<R>,
    slice: Slice,
  ): Promise<R[]> {
    const { codec } = this.tableOf(collection);
    const isShort = (read: AnyFilter) =>
      slice.limit <= SHORT_LIST && isCoveredByIndex(collection, read, order.by);
    const select = (read: AnyFilter) => selectList(codec, read, order, slice);
    const rows = await this.read(collection, filter, select, isShort);
    return rows.map((row) => codec.decode(row));
  }

  async count<R extends Stored>(
    collection: Collection<R>,
    filter: Filter<R>,
    atMost?: number,
  ): Promise<number> {
    const { codec } = this.tableOf(collection);
    const isShort = (read: AnyFilter) =>
      (atMost ?? Infinity) <= SHORT_COUNT && isCoveredByIndex(collection, read);
    const select = (read: AnyFilter) => selectCount(codec, read, atMost);
    const rows = await this.read(collection, filter, select, isShort);
    return rows[0]![0] as number;
  }

  async countBy<R extends Stored>(
    collection: Collection<R>,
    filter: Filter<R>,
    field: FieldOf<R>,
    bucketMs?: number,
  ): Promise<CountsByValue> {
    const { codec } = this.tableOf(collection);
    const rows = await this.read(collection, filter, (read) =>
      selectCountBy(codec, read, field, bucketMs),
    );
    return new Map(rows as (readonly [Value, number])[]);
  }

  async newestOf<R extends Stored & { readonly createdAt: Date }>(
    collection: Collection<R>,
    filter: Filter<R>,
    parent: FieldOf<R>,
    parents: readonly string[],
    limit: number,
  ): Promise<R[]> {
    const { codec } = this.tableOf(collection);
    const rows = await this.read(collection, filter, (read) =>
      selectNewestOf(codec, read, parent, parents, limit),
    );
    return rows.map((row) => codec.decode(row));
  }

  async commit(changes: readonly Change[]): Promise<Committed> {
    if (changes.length === 0) return { ok: true, affected: 0 };
    const changed: (readonly [Table, readonly string[]])[] = [];
    const make = (change: Change) => {
      const table = this.tableOf(change.collection);
      const ids = table.make(change);
      changed.push([table, ids]);
      return 'limit' in change ? ids.length : 0;
    };
    const run = () => inOrder(changes).reduce((sum, change) => sum + make(change), 0);
    const committed = () => changed.forEach(([table, ids]) => table.forget(ids));
    return this.commits.add({ run, committed }, currentDeadline(), recordsIn(changes));
  }

  async ping(): Promise<void> {
    this.prepare('SELECT name FROM sqlite_schema LIMIT 1').get();
    const { bavail, bsize } = await fs.promises.statfs(path.dirname(this.file));
    if (bavail * bsize < FULL) throw storeUnavailable('the disk is full');
  }

  truncateLog(): void {
    this.database.exec(CHECKPOINT);
  }

  async close(): Promise<void> {
    await this.readers.close();
    // A command waits for nobody, and a service empties the log itself.
    if (this.ownership) this.database.exec('PRAGMA busy_timeout = 1000');
    // With prepared statements open, close() does not checkpoint. Only then is a copy of the file complete.
    this.truncateLog();
    this.database.close();
    this.ownership?.release();
  }

  /** Clears the caches if another process, such as `npm run user`, has committed. */
  private dropOutdated(): void {
    if (this.isVersionRead) return;
    this.isVersionRead = true;
    setImmediate(() => (this.isVersionRead = false));
    const [version] = this.prepare('PRAGMA data_version').get() as unknown as [number];
    if (version === this.cachedVersion) return;
    for (const table of this.tables.values()) table.emptyCache();
    this.cachedVersion = version;
  }

  private async read(
    collection: AnyCollection,
    filter: object,
    select: (filter: AnyFilter) => Sql,
    isShort: (filter: AnyFilter) => boolean = () => false,
  ): Promise<readonly Row[]> {
    const read = readFilter(filter);
    const statement = select(read);
    if (!isShort(read)) return this.readers.read(turnOfRead(collection, read), statement);
    remainingTime(currentDeadline());
    return this.prepare(statement.sql).all(...statement.parameters) as Row[];
  }

  private tableOf(collection: AnyCollection): Table {
    const table = this.tables.get(collection);
    if (!table) throw new Error(`The store was opened without ${collection.name}`);
    return table;
  }

  /** Prepares each text once and keeps it; the number of texts is bounded. */
  private prepare(sql: string): StatementSyncInstance {
    const statement =
      this.statements.get(sql) ?? this.database.prepare(sql, { returnArrays: true });
    this.statements.set(sql, statement);
    return statement;
  }
}

/**
 * Time budget of a transaction, in milliseconds, because nothing else runs meanwhile. Remaining writes get
 * the next one.
 */
const BUDGET = 10;
/** Retry interval while another process writes, in milliseconds, which leaves the event loop free. */
const BUSY_PAUSE = 10;

export interface Write {
  /**
   * Reads and writes synchronously. If it throws, only its own writes are undone.
   *
   * @returns the number of records changed through filters
   * @throws ConditionFailed
   */
  readonly run: () => number;
  /** Called after the commit, before anything else runs. */
  readonly committed: () => void;
}

/**
 * Runs writes in one durable transaction, so one disk flush serves many requests. Runs from BEGIN to COMMIT
 * without yielding. Nothing is acknowledged, cached or readable before it is on disk. Each write has a
 * savepoint, so a failed write does not undo others.
 */
export class WriteTransaction {
  constructor(private readonly database: DatabaseSyncInstance) {}

  /** See {@link ApplyBatch}. If the transaction fails, all of its writes fail, because the disk may be full. */
  async apply(batch: readonly PendingCommit<Write>[]): Promise<readonly PendingCommit<Write>[]> {
    const begin = performance.now();
    try {
      this.database.exec('BEGIN IMMEDIATE');
    } catch (error) {
      if (!isBusy(error)) throw error;
      await setTimeout(BUSY_PAUSE);
      return batch;
    }
    try {
      const settle: (() => void)[] = [];
      do settle.push(this.makeOne(batch[settle.length]!));
      while (settle.length < batch.length && performance.now() - begin < BUDGET);
      this.database.exec('COMMIT');
      settle.forEach((response) => response());
      return batch.slice(settle.length);
    } catch (error) {
      if (this.database.isOpen && this.database.isTransaction) this.database.exec('ROLLBACK');
      throw isFull(error) ? storeUnavailable('the disk is full') : error;
    }
  }

  /** @returns a callback that settles the write after the commit */
  private makeOne({ commit, resolve, reject }: PendingCommit<Write>): () => void {
    this.database.exec('SAVEPOINT one');
    try {
      const affected = commit.run();
      this.database.exec('RELEASE one');
      return () => {
        commit.committed();
        resolve({ ok: true, affected });
      };
    } catch (error) {
      // Some errors, such as a full disk, roll back and end the whole transaction.
      if (!this.database.isTransaction) throw error;
      this.database.exec('ROLLBACK TO one; RELEASE one');
      if (!(error instanceof ConditionFailed)) return () => reject(error);
      return () => resolve({ ok: false, failed: error.change });
    }
  }
}
