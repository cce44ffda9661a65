import path from 'node:path';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { mongo } from 'mongoose';
import { DELETED_PROJECTS } from '../src/storage/mongo/schemas/deleted-projects.schema.js';

/** Direct access to the store of a built service, for tests of large deletions. */
export interface DeletionStore {
  /** Copies the only license of a project, with its event, while the service is stopped. */
  fill(project: string, copies: number): Promise<void>;
  /** The number of licenses of a project that are stored, deleted or not. */
  count(project: string): Promise<number>;
  /** Whether a deleted project still has licenses. */
  isRemoving(): Promise<boolean>;
}

export function sqliteDeletionStore(dataDir: string): DeletionStore {
  const use = <T>(work: (database: DatabaseSyncInstance) => T): Promise<T> => {
    const database = new DatabaseSync(path.join(dataDir, 'licenses.sqlite'));
    try {
      database.exec('PRAGMA busy_timeout = 5000');
      return Promise.resolve(work(database));
    } finally {
      database.close();
    }
  };
  const rowsOf = (database: DatabaseSyncInstance, sql: string) =>
    database.prepare(sql).all() as Record<string, string>[];
  return {
    fill: (project, copies) =>
      use((database) => {
        const insert = (table: string, changed: Record<string, string>, where: string) => {
          const columns = rowsOf(database, `PRAGMA table_info(${table})`).map(({ name }) => name!);
          const values = columns.map((column) => changed[column] ?? column);
          database.exec(
            `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${copies})
             INSERT INTO ${table} (${columns.join()}) SELECT ${values.join()} FROM ${table}, numbers WHERE ${where}`,
          );
        };
        const [license] = rowsOf(
          database,
          `SELECT _id FROM licenses WHERE project = '${project}' LIMIT 1`,
        );
        // 24 characters, as an id has.
        const copyOf = (id: string) => `substr(${id}, 1, 16) || format('%08x', n)`;
        database.exec('BEGIN');
        insert(
          'licenses',
          { _id: copyOf('_id'), keyHash: "'copy ' || n || _id" },
          `_id = '${license!._id}'`,
        );
        insert(
          'license_events',
          { _id: copyOf('_id'), license: copyOf('license') },
          `license = '${license!._id}'`,
        );
        database.exec('COMMIT');
      }),
    count: (project) =>
      use(
        (database) =>
          rowsOf(database, `SELECT 1 FROM licenses WHERE project = '${project}'`).length,
      ),
    isRemoving: () =>
      use((database) => rowsOf(database, 'SELECT 1 FROM deleted_projects').length > 0),
  };
}

export function mongoDeletionStore(uri: string): DeletionStore {
  const use = async <T>(work: (db: mongo.Db) => Promise<T>): Promise<T> => {
    const client = await new mongo.MongoClient(uri).connect();
    try {
      return await work(client.db());
    } finally {
      await client.close();
    }
  };
  return {
    fill: (id, copies) =>
      use(async (db) => {
        const project = new mongo.ObjectId(id);
        const [licenses, events] = [db.collection('licenses'), db.collection('license_events')];
        const license = (await licenses.findOne({ project }))!;
        const event = await events.findOne({ license: license._id });
        for (let first = 0; first < copies; first += 5_000) {
          const ids = Array.from(
            { length: Math.min(5_000, copies - first) },
            () => new mongo.ObjectId(),
          );
          const copy = (_id: mongo.ObjectId) => ({
            ...license,
            _id,
            keyHash: `copy ${String(_id)}`,
          });
          await licenses.insertMany(ids.map(copy));
          if (!event) continue;
          await events.insertMany(
            ids.map((_id) => ({ ...event, _id: new mongo.ObjectId(), license: _id })),
          );
        }
        const $inc = { licensesCount: copies };
        await db.collection('projects').updateOne({ _id: project }, { $inc });
        await db.collection('totals').updateOne({ _id: license.user as mongo.ObjectId }, { $inc });
      }),
    count: (project) =>
      use((db) =>
        db.collection('licenses').countDocuments({ project: new mongo.ObjectId(project) }),
      ),
    isRemoving: () =>
      use(
        async (db) =>
          (await db.collection('licenses').findOne({ keyHash: DELETED_PROJECTS })) !== null,
      ),
  };
}
