import { mongo } from 'mongoose';
import type { Metrics } from '../../metrics/metrics.js';
import { type Change, inOrder } from '../changes.js';
import { lockedIfUnavailable } from '../store-unavailable.js';
import type { AnyCollection, Collection, FieldOf, Stored } from '../collection.js';
import { type AnyFilter, type Filter, readFilter } from '../filter.js';
import { readerOf } from '../read-turns.js';
import type { CountsByValue, Key, Order, Slice } from '../store.js';
import { type Committed, WritableStore } from '../writable-store.js';
import { operationOf } from './commits/operation.js';
import type { Transactions } from './commits/transactions.js';
import type { StatementOptions } from './connection/statement-time.js';
import { isLicenseCheck, type Statements } from './connection/statements.js';
import type { DocumentsOf } from './documents/documents.js';
import { allOf, comesAfter, hintOf, toMongoFilter } from './documents/filters.js';
import { LookUps } from './documents/look-ups.js';

type Document = mongo.Document;

/** The options of a statement that reads a selection. */
interface ReadOptions extends StatementOptions {
  /** The index that serves it. */
  readonly hint?: string;
}

/** The store on MongoDB: a replica set or a sharded cluster. */
export class MongoStore extends WritableStore {
  private readonly lookUps: LookUps;

  constructor(
    readonly statements: Statements,
    private readonly commits: Readonly<Record<'ofLicenseChecks' | 'others', Transactions>>,
    private readonly documentsOf: DocumentsOf,
    metrics: Metrics,
  ) {
    super();
    this.lookUps = new LookUps(statements);
    metrics.gauge(
      'mongodb_waiting_operations',
      'Statements and transactions that wait until they may use a connection',
      () => statements.waiting + commits.ofLicenseChecks.waiting + commits.others.waiting,
    );
  }

  async find<R extends Stored>(collection: Collection<R>, key: Key<R>): Promise<R | null> {
    return (await this.lookUps.find(this.documentsOf(collection), key)) as R | null;
  }

  async list<R extends Stored>(
    collection: Collection<R>,
    filter: Filter<R>,
    order: Order<R>,
    { limit, after }: Slice,
  ): Promise<R[]> {
    const { codec, driver } = this.documentsOf(collection);
    const read = readFilter(filter);
    const following = after ? comesAfter(codec, order, after) : {};
    const selected = allOf([toMongoFilter(codec, read), following]);
    const options = { sort: sortBy(order.by, order.direction), limit };
    // No limit would be one of 0.
    if (limit < 1) return [];
    const found = await this.read(collection, read, order.by, (bounds) =>
      driver.find(selected, { ...options, ...bounds }).toArray(),
    );
    return found.map((document) => codec.decode<R>(document));
  }

  async count<R extends Stored>(
    collection: Collection<R>,
    filter: Filter<R>,
    atMost?: number,
  ): Promise<number> {
    const { codec, driver } = this.documentsOf(collection);
    const read = readFilter(filter);
    const selected = toMongoFilter(codec, read);
    if (atMost !== undefined && atMost < 1) return 0;
    const limit = atMost === undefined ? {} : { limit: atMost };
    return this.read(collection, read, undefined, (bounds) =>
      driver.countDocuments(selected, { ...limit, ...bounds }),
    );
  }

  async countBy<R extends Stored>(
    collection: Collection<R>,
    filter: Filter<R>,
    field: FieldOf<R>,
    bucketMs = 1,
  ): Promise<CountsByValue> {
    const { codec, driver } = this.documentsOf(collection);
    const read = readFilter(filter);
    const value = { $ifNull: [`$${field}`, { $literal: codec.field(field).initial ?? null }] };
    // The server's operators for calendars take more than twice as long.
    const bucket = { $floor: { $divide: [{ $subtract: [value, new Date(0)] }, bucketMs] } };
    const isTime = codec.field(field).kind === 'time';
    const stages = [
      { $match: toMongoFilter(codec, read) },
      { $group: { _id: isTime ? bucket : value, count: { $sum: 1 } } },
    ];
    const counts = await this.read(
      collection,
      read,
      undefined,
      (bounds) => driver.aggregate(stages, bounds).toArray(),
      field,
    );
    return new Map(counts.map(({ _id, count }) => [toKey(_id as null), count as number]));
  }

  async newestOf<R extends Stored & { readonly createdAt: Date }>(
    collection: Collection<R>,
    filter: Filter<R>,
    parent: FieldOf<R>,
    parents: readonly string[],
    limit: number,
  ): Promise<R[]> {
    const { codec, driver } = this.documentsOf(collection);
    const ofParent = (_id: string) => readFilter({ ...filter, [parent]: _id });
    const newestOf = (_id: string): Document[] => [
      { $match: toMongoFilter(codec, ofParent(_id)) },
      { $sort: sortBy('createdAt', 'desc') },
      { $limit: limit },
    ];
    const [first, ...others] = parents.map(newestOf);
    if (!first || limit < 1) return [];
    const stages = [
      ...first,
      ...others.map((pipeline) => ({ $unionWith: { coll: collection.name, pipeline } })),
    ];
    const found = await this.read(collection, ofParent(parents[0]!), 'createdAt', (bounds) =>
      driver.aggregate(stages, bounds).toArray(),
    );
    return found.map((document) => codec.decode<R>(document));
  }

  async commit(changes: readonly Change[]): Promise<Committed> {
    const operations = inOrder(changes).map((change) =>
      operationOf(change, this.documentsOf(change.collection)),
    );
    if (operations.length === 0) return { ok: true, affected: 0 };
    const { ofLicenseChecks, others } = this.commits;
    const transactions = isLicenseCheck() ? ofLicenseChecks : others;
    const endsAt = this.statements.endOfWork();
    const work = () => transactions.commit(operations, endsAt);
    try {
      return await this.statements.untilDeadline(work, 'transaction', endsAt);
    } catch (error) {
      throw transactions.isInConflict ? lockedIfUnavailable(error) : error;
    }
  }

  ping(): Promise<void> {
    return this.statements.ping();
  }

  /**
   * Reads what a filter selects: license checks at once, everything else in the turn of its account.
   *
   * @param by the field that sorts
   */
  private read<T>(
    collection: AnyCollection,
    filter: AnyFilter,
    by: string | undefined,
    statement: (options: ReadOptions) => Promise<T>,
    counted?: string,
  ): Promise<T> {
    const index = hintOf(collection, filter, by, counted);
    const hint = index === undefined ? {} : { hint: index };
    const account = readerOf(collection, filter);
    return this.statements.read(account, (options) => statement({ ...options, ...hint }));
  }
}

const sortBy = (field: string, direction: 'asc' | 'desc'): Record<string, 1 | -1> => {
  const sign = direction === 'asc' ? 1 : -1;
  return { [field]: sign, _id: sign };
};

/** A value by which records were counted: an id as text. */
const toKey = (value: string | number | mongo.ObjectId | null): string | number | null =>
  value instanceof mongo.ObjectId ? value.toHexString() : value;
