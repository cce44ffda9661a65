import { type Connection, createConnection, type Model, mongo } from 'mongoose';
import { StartupError } from '../../../shared/errors/startup-error.js';
import type { AnyCollection, Stored } from '../../collection.js';
import { DRIVER_OPTIONS } from '../connection/connection-options.js';
import { requireFullGuarantees } from '../connection/mongo-uri.js';
import { requireReplicaSet } from '../connection/replica-set.js';
import { toStartupError } from '../connection/startup-failure.js';
import { databaseOf, type DocumentsOf, documentsOf } from '../documents/documents.js';
import { createCollections, createIndexes, modelsOf } from '../documents/schemas.js';
import {
  MIGRATIONS_COLLECTION,
  recordNewest,
  UNFINISHED_COPY,
} from '../migrations/prepare-database.js';
import type { MigrationRecord } from '../migrations/run-once.js';
import { rateLimitWindowModel } from '../rate-limits/rate-limit-window.js';

/** What is copied: a deployment, and the version of its store. */
export interface CopiedStore {
  readonly deployment: string;
  readonly version: string;
}

/** The number of records of each collection, by its name. */
export type Counts = Readonly<Record<string, number>>;

/** The record of a copy under way. */
interface UnfinishedCopy extends MigrationRecord, CopiedStore {
  /** The records of the verified copy; absent until it is verified. */
  readonly verified?: Counts;
}

/** Records that the server sends at once. */
const BATCH = 1_000;

const THIS_COPY = { _id: UNFINISHED_COPY };

/**
 * A database that becomes the copy of a store. Until {@link finish}, a record in it keeps every service from starting
 * on it. The records of a collection are inserted in the order of their ids, one after the other: so the last id tells how
 * far an interrupted copy came.
 */
export class MongoTarget {
  private readonly documentsOf: DocumentsOf;
  private readonly models: readonly Model<unknown>[];

  private constructor(
    private readonly connection: Connection,
    private readonly collections: readonly AnyCollection[],
  ) {
    this.documentsOf = documentsOf(connection, collections);
    this.models = [...modelsOf(connection, collections), rateLimitWindowModel(connection)];
  }

  /** @throws StartupError where the database cannot be used */
  static async connect(uri: string, collections: readonly AnyCollection[]): Promise<MongoTarget> {
    requireFullGuarantees(uri);
    try {
      await requireReplicaSet(uri);
      const connection = await createConnection(uri, DRIVER_OPTIONS).asPromise();
      return new MongoTarget(connection, collections);
    } catch (error) {
      throw toStartupError(error);
    }
  }

  /** The name of the database. */
  get name(): string {
    return this.connection.name;
  }

  /**
   * Prepares an empty database, or one with an unfinished copy of the same deployment. What was copied from
   * another version of its store is dropped.
   *
   * @throws StartupError where the database holds anything else
   */
  async begin({ deployment, version }: CopiedStore): Promise<'new' | 'continued' | 'anew'> {
    const found = await this.copies.findOne(THIS_COPY);
    if (!found) {
      await this.requireEmpty();
      await this.copies.insertOne({ ...THIS_COPY, deployment, version });
    } else if (found.deployment !== deployment) {
      throw new StartupError(
        `The database ${this.name} holds an unfinished copy of another store: name another database in MONGODB_URI, or ` +
          'drop this one as an administrator.',
      );
    } else if (found.version !== version) {
      await this.copies.updateOne(THIS_COPY, { $unset: { verified: '' } });
      await this.dropCopied();
      await this.copies.updateOne(THIS_COPY, { $set: { version } });
    }
    await createCollections(this.models);
    if (!found) return 'new';
    return found.version === version ? 'continued' : 'anew';
  }

  /** The last id of a collection; undefined where it has no records yet. */
  async lastId(collection: AnyCollection): Promise<string | undefined> {
    const { driver } = this.documentsOf(collection);
    const last = await driver.findOne({}, { sort: { _id: -1 } });
    return last ? toId(last._id) : undefined;
  }

  /** The number of records of a collection up to {@link lastId}. */
  count(collection: AnyCollection): Promise<number> {
    return this.documentsOf(collection).driver.countDocuments();
  }

  /** Inserts records that come after all others of their collection, durably. */
  async insert(collection: AnyCollection, records: readonly Stored[]): Promise<void> {
    const { codec, driver } = this.documentsOf(collection);
    await driver.insertMany(records.map((record) => codec.encode(record, record.version)));
  }

  /** The stored records of a collection, in the order of their ids. */
  async *read(collection: AnyCollection): AsyncGenerator<Stored> {
    const { codec, driver } = this.documentsOf(collection);
    const cursor = driver.find({}, { sort: { _id: 1 }, batchSize: BATCH });
    for await (const document of cursor) yield codec.decode(document);
  }

  /** The records of the copy that {@link markVerified} was called with; undefined where it is not verified. */
  async verified(): Promise<Counts | undefined> {
    return (await this.copies.findOne(THIS_COPY))?.verified;
  }

  /** To be called before {@link finish}: afterwards TTL indexes delete expired records, so no copy can be compared. */
  async markVerified(verified: Counts): Promise<void> {
    await this.copies.updateOne(THIS_COPY, { $set: { verified } });
  }

  /** Makes a verified copy a database that services start on. */
  async finish(): Promise<void> {
    // Only now: they are built faster over all records, and a TTL index would delete what has expired before it is compared.
    await createIndexes(this.models);
    await recordNewest(this.connection);
    await this.copies.deleteOne(THIS_COPY);
  }

  async close(): Promise<void> {
    await this.connection.close();
  }

  private get copies(): mongo.Collection<UnfinishedCopy> {
    return databaseOf(this.connection).collection<UnfinishedCopy>(MIGRATIONS_COLLECTION);
  }

  private async requireEmpty(): Promise<void> {
    const database = databaseOf(this.connection);
    const names = this.collections.map(({ name }) => name);
    for (const name of [...names, MIGRATIONS_COLLECTION]) {
      if (!(await database.collection(name).findOne())) continue;
      throw new StartupError(
        `The database ${this.name} is not empty (it has ${name}): name an empty one in MONGODB_URI.`,
      );
    }
  }

  /** With the indexes: a TTL index would delete expired records of the next copy. */
  private async dropCopied(): Promise<void> {
    await createCollections(this.models);
    for (const { collection } of this.models) await collection.drop();
  }
}

/** The id of a record: that of its document as text. */
const toId = (_id: unknown) => (_id instanceof mongo.ObjectId ? _id.toHexString() : String(_id));
