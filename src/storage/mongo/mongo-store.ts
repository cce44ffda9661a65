import { mongo } from 'mongoose';
import { type Change, inOrder } from '../changes.js';
import type { AnyCollection, Collection, FieldOf, Stored } from '../collection.js';
import { asContention } from '../../shared/request-context.js';
import { type AnyFilter, type Filter, isUniqueBy, readFilter } from '../filter.js';
import type { StoreMetrics } from '../store-metrics.js';
import type { CountsByValue, Key, Order, Slice } from '../store.js';
import { turnOfRead } from '../turns.js';
import { type Committed, WritableStore } from '../writable-store.js';
import { Documents } from './documents.js';
import { allOf, comesAfter, toMongoFilter } from './filters.js';
import { hintOf } from './indexes.js';
import { Lookups } from './lookups.js';
import { operationOf } from './operation.js';
import { SCHEMA } from './prepare-database.js';
import { leaseSessions } from './session-lease.js';
import { isLicenseCheck, type StatementOptions, type Statements } from './statements.js';
import { Transactions } from './transactions.js';

/** Options for reading a selection. */
interface ReadOptions extends StatementOptions {
  /** The index to use. */
  readonly hint?: string;
}

/** The store on MongoDB: a replica set or a sharded cluster. */
export class MongoStore extends WritableStore {
  private readonly lookUps: Lookups;
  private readonly documents: ReadonlyMap<AnyCollection, Documents>;

  private constructor(
    client: mongo.MongoClient,
    collections: readonly AnyCollection[],
    private readonly statements: Statements,
    private readonly licenseChecks: Transactions,
    private readonly others: Transactions,
  ) {
    super();
    this.lookUps = new Lookups(statements);
    this.documents = new Map(collections.map((each) => [each, new Documents(client.db(), each)]));
  }

  /** @param client the client of a database that has these collections */
  static async open(
    client: mongo.MongoClient,
    collections: readonly AnyCollection[],
    statements: Statements,
    metrics: StoreMetrics,
  ): Promise<MongoStore> {
    const sessions = [client.startSession(), client.startSession()] as const;
    await leaseSessions(client, sessions, SCHEMA);
    const [first, second] = sessions.map((each) => new Transactions(each, client.db(), metrics));
    metrics.gaugeWaiting('commits', () => first!.waiting + second!.waiting);
    return new MongoStore(client, collections, statements, first!, second!);
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
    const documents = this.documentsOf(collection);
    const read = readFilter(filter);
    const following = after ? comesAfter(documents, order, after) : {};
    const selected = allOf([toMongoFilter(documents, read), following]);
    const sort = sortBy(order.by, order.direction);
    // All values differ. If the sort included the id, the server would read and sort all selected records.
    if (isUniqueBy(collection, read, order.by)) delete sort._id;
    const options = { sort, limit };
    // A limit of 0 would mean no limit.
    if (limit < 1) return [];
    const found = await this.read(collection, read, order.by, (bounds) =>
      documents.driver.find(selected, { ...options, ...bounds }).toArray(),
    );
    return found.map((document) => documents.decode<R>(document));
  }

  async count<R extends Stored>(
    collection: Collection<R>,
    filter: Filter<R>,
    atMost?: number,
  ): Promise<number> {
    const documents = this.documentsOf(collection);
    const read = readFilter(filter);
    const selected = toMongoFilter(documents, read);
    if (atMost !== undefined && atMost < 1) return 0;
    const limit = atMost === undefined ? {} : { limit: atMost };
    return this.read(collection, read, undefined, (bounds) =>
      documents.driver.countDocuments(selected, { ...limit, ...bounds }),
    );
  }

  async countBy<R extends Stored>(
    collection: Collection<R>,
    filter: Filter<R>,
    field: FieldOf<R>,
    bucketMs = 1,
  ): Promise<CountsByValue> {
    const documents = this.documentsOf(collection);
    const read = readFilter(filter);
    const value = { $ifNull: [`$${field}`, { $literal: documents.field(field).initial ?? null }] };
    // The server's date operators take more than twice as long.
    const bucket = { $floor: { $divide: [{ $subtract: [value, new Date(0)] }, bucketMs] } };
    const isTime = documents.field(field).kind === 'time';
    const stages = [
      { $match: toMongoFilter(documents, read) },
      { $group: { _id: isTime ? bucket : value, count: { $sum: 1 } } },
    ];
    const counts = await this.read(
      collection,
      read,
      undefined,
      (bounds) => documents.driver.aggregate(stages, bounds).toArray(),
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
    const documents = this.documentsOf(collection);
    const ofParent = (_id: string) => readFilter({ ...filter, [parent]: _id });
    const newestOf = (_id: string): mongo.Document[] => [
      { $match: toMongoFilter(documents, ofParent(_id)) },
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
      documents.driver.aggregate(stages, bounds).toArray(),
    );
    return found.map((document) => documents.decode<R>(document));
  }

  async commit(changes: readonly Change[]): Promise<Committed> {
    const operations = inOrder(changes).map((change) =>
      operationOf(change, this.documentsOf(change.collection)),
    );
    if (operations.length === 0) return { ok: true, affected: 0 };
    const transactions = isLicenseCheck() ? this.licenseChecks : this.others;
    const endsAt = this.statements.currentDeadline();
    const work = () => transactions.commit(operations, endsAt);
    try {
      return await this.statements.withDeadline(work, endsAt);
    } catch (error) {
      throw transactions.isInConflict ? asContention(error) : error;
    }
  }

  ping(): Promise<void> {
    return this.statements.ping();
  }

  private documentsOf(collection: AnyCollection): Documents {
    const documents = this.documents.get(collection);
    if (!documents) throw new Error(`The store was opened without ${collection.name}`);
    return documents;
  }

  /**
   * Reads what a filter selects: for license checks immediately, for everything else in the account's turn.
   *
   * @param by the sort field
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
    const account = turnOfRead(collection, filter);
    return this.statements.read(account, (options) => statement({ ...options, ...hint }));
  }
}

const sortBy = (field: string, direction: 'asc' | 'desc'): Record<string, 1 | -1> => {
  const sign = direction === 'asc' ? 1 : -1;
  return { [field]: sign, _id: sign };
};

/** A group value of a count; ids become text. */
const toKey = (value: string | number | mongo.ObjectId | null): string | number | null =>
  value instanceof mongo.ObjectId ? value.toHexString() : value;
