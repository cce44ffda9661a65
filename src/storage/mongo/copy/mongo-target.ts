import { type Connection, createConnection, type Model, type mongo, Types } from 'mongoose';
import { StartupError } from '../../../shared/errors/startup-error.js';
import type { Counts, Kind, StoredRecords } from '../../stored-records.js';
import { DRIVER_OPTIONS } from '../connection/connection-options.js';
import { requireFullGuarantees } from '../connection/mongo-uri.js';
import { requireReplicaSet } from '../connection/replica-set.js';
import { toStartupError } from '../connection/startup-failure.js';
import { migrate, UNFINISHED_COPY } from '../migrations/migrate.js';
import { MIGRATIONS_COLLECTION } from '../schemas/migration.schema.js';
import { createCollections, createIndexes, type Models, modelsOf } from '../schemas/models.js';
import { type Mapper, MAPPERS } from './mappers.js';

/** What is copied: a deployment, and the version of its store. */
export interface CopiedStore {
  readonly deployment: string;
  readonly version: string;
}

/** The record of a copy under way. */
interface UnfinishedCopy extends CopiedStore {
  readonly _id: typeof UNFINISHED_COPY;
  /** The records of the verified copy; absent until it is verified. */
  readonly verified?: Counts;
}

/**
 * A database that becomes the copy of a store. Until {@link finish}, a record in it keeps every service from starting
 * on it. The records of a kind are inserted in the order of their ids, one after the other: so the last id tells how
 * far an interrupted copy came.
 */
export class MongoTarget {
  private constructor(
    private readonly connection: Connection,
    private readonly models: Models,
  ) {}

  /** @throws StartupError where the database cannot be used */
  static async connect(uri: string): Promise<MongoTarget> {
    requireFullGuarantees(uri);
    try {
      await requireReplicaSet(uri);
      const connection = await createConnection(uri, DRIVER_OPTIONS).asPromise();
      return new MongoTarget(connection, modelsOf(connection));
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
    const found = await this.copies.findOne({ _id: UNFINISHED_COPY });
    if (!found) {
      await this.requireEmpty();
      await this.copies.insertOne({ _id: UNFINISHED_COPY, deployment, version });
    } else if (found.deployment !== deployment) {
      throw new StartupError(
        `The database ${this.name} holds an unfinished copy of another store: name another database in MONGODB_URI, or ` +
          'drop this one as an administrator.',
      );
    } else if (found.version !== version) {
      await this.copies.updateOne({ _id: UNFINISHED_COPY }, { $unset: { verified: '' } });
      await this.dropCopied();
      await this.copies.updateOne({ _id: UNFINISHED_COPY }, { $set: { version } });
    }
    // Migrations are recorded before there is anything to migrate: what is copied has the newest schema.
    await createCollections(this.models);
    await migrate(this.connection);
    if (!found) return 'new';
    return found.version === version ? 'continued' : 'anew';
  }

  /** The last id of a kind; undefined where it has no records yet. */
  async lastId(kind: Kind): Promise<string | undefined> {
    const last = await this.collection(kind).findOne({}, { sort: { _id: -1 } });
    return last ? toId(last._id) : undefined;
  }

  /** The number of records of a kind up to {@link lastId}. */
  count(kind: Kind): Promise<number> {
    return this.collection(kind).countDocuments();
  }

  /** Inserts records that come after all others of their kind, durably. */
  async insert<K extends Kind>(kind: K, records: readonly StoredRecords[K][]): Promise<void> {
    const { toDocument }: Mapper<K> = MAPPERS[kind];
    await this.collection(kind).insertMany(records.map(toDocument) as mongo.Document[]);
  }

  /** The stored records of a kind, in the order of their ids; of a document that is no such record, its id alone. */
  async *read<K extends Kind>(
    kind: K,
  ): AsyncGenerator<StoredRecords[K] | { readonly _id: string }> {
    const { toRecord }: Mapper<K> = MAPPERS[kind];
    const recordOf = (document: mongo.Document) => {
      try {
        return toRecord(document as Parameters<typeof toRecord>[0]);
      } catch {
        return { _id: toId(document._id) };
      }
    };
    const cursor = this.collection(kind).find({}, { sort: { _id: 1 }, batchSize: BATCH });
    for await (const document of cursor) yield recordOf(document);
  }

  /** The records of the copy that {@link markVerified} was called with; undefined where it is not verified. */
  async verified(): Promise<Counts | undefined> {
    const copy = await this.copies.findOne({ _id: UNFINISHED_COPY });
    return copy?.verified;
  }

  /** To be called before {@link finish}: afterwards TTL indexes delete expired records, so no copy can be compared. */
  async markVerified(counts: Counts): Promise<void> {
    await this.copies.updateOne({ _id: UNFINISHED_COPY }, { $set: { verified: counts } });
  }

  /** Makes a verified copy a database that services start on. */
  async finish(): Promise<void> {
    // Only now: they are built faster over all records, and a TTL index would delete what has expired before it is compared.
    await createIndexes(this.models);
    await this.copies.deleteOne({ _id: UNFINISHED_COPY });
  }

  async close(): Promise<void> {
    await this.connection.close();
  }

  private get copies() {
    return this.connection
      .getClient()
      .db(this.name)
      .collection<UnfinishedCopy>(MIGRATIONS_COLLECTION);
  }

  private collection(kind: Kind): mongo.Collection {
    return collectionOf(this.models[kind]);
  }

  private get collections(): mongo.Collection[] {
    return Object.values(this.models).map(collectionOf);
  }

  private async requireEmpty(): Promise<void> {
    for (const collection of this.collections) {
      if (!(await collection.findOne())) continue;
      throw new StartupError(
        `The database ${this.name} is not empty (it has ${collection.collectionName}): name an empty one in MONGODB_URI.`,
      );
    }
  }

  /** With the indexes: a TTL index would delete expired records of the next copy. */
  private async dropCopied(): Promise<void> {
    for (const collection of this.collections) {
      if (collection.collectionName !== MIGRATIONS_COLLECTION) await collection.drop();
    }
  }
}

const collectionOf = ({ collection }: Pick<Model<unknown>, 'collection'>): mongo.Collection =>
  collection;

/** Records that the server sends at once. */
const BATCH = 1_000;

/** The id of a record: that of its document as text. */
const toId = (_id: unknown) => (_id instanceof Types.ObjectId ? _id.toHexString() : String(_id));
