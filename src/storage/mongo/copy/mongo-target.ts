import { type Connection, createConnection, type Model, type mongo } from 'mongoose';
import { StartupError } from '../../../shared/errors/startup-error.js';
import type { AnyCollection, Stored } from '../../collection.js';
import { DRIVER_OPTIONS } from '../connection/connection-options.js';
import { requireReplicaSet } from '../connection/replica-set.js';
import { toStartupError } from '../connection/startup-failure.js';
import { databaseOf, type DocumentsOf, documentsOf } from '../documents/documents.js';
import { createCollections, createIndexes, modelsOf } from '../documents/schemas.js';
import {
  MIGRATIONS_COLLECTION,
  recordSchema,
  UNFINISHED_COPY,
} from '../migrations/prepare-database.js';

/** Records that the server sends at once. */
const BATCH = 1_000;

const THIS_COPY = { _id: UNFINISHED_COPY } as const;

/**
 * A database that becomes the copy of a store. Until {@link finish}, a record in it keeps every service from starting
 * on it.
 */
export class MongoTarget {
  private readonly documentsOf: DocumentsOf;
  private readonly models: readonly Model<unknown>[];

  private constructor(
    private readonly connection: Connection,
    private readonly collections: readonly AnyCollection[],
  ) {
    this.documentsOf = documentsOf(connection, collections);
    this.models = modelsOf(connection, collections);
  }

  /** @throws StartupError where the database cannot be used */
  static async connect(uri: string, collections: readonly AnyCollection[]): Promise<MongoTarget> {
    await requireReplicaSet(uri);
    try {
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
   * Prepares an empty database, or one with an unfinished copy, which is dropped.
   *
   * @throws StartupError if the database holds anything else
   */
  async begin(): Promise<void> {
    if (await this.copies.findOne(THIS_COPY)) {
      for (const { collection } of this.models) await collection.drop();
    } else {
      await this.requireEmpty();
      await this.copies.insertOne(THIS_COPY);
    }
    await createCollections(this.models);
  }

  /** Inserts records, durably. */
  async insert(collection: AnyCollection, records: readonly Stored[]): Promise<void> {
    const { codec, driver } = this.documentsOf(collection);
    await driver.insertMany(records.map((record) => codec.encode(record, record.version)));
  }

  /** The stored records of a collection, in the order of their ids. */
  read(collection: AnyCollection): AsyncIterable<Stored> {
    const { codec, driver } = this.documentsOf(collection);
    const cursor = driver.find({}, { sort: { _id: 1 }, batchSize: BATCH });
    return cursor.map((document) => codec.decode(document));
  }

  /** Makes a verified copy a database that services start on. */
  async finish(): Promise<void> {
    // Only now: they are built faster over all records, and a TTL index would delete what has expired before it is compared.
    await createIndexes(this.models);
    await recordSchema(this.connection);
    await this.copies.deleteOne(THIS_COPY);
  }

  async close(): Promise<void> {
    await this.connection.close();
  }

  private get copies(): mongo.Collection<typeof THIS_COPY> {
    return databaseOf(this.connection).collection<typeof THIS_COPY>(MIGRATIONS_COLLECTION);
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
}
