import { isDeepStrictEqual } from 'node:util';
import { StartupError } from '../../shared/errors/startup-error.js';
import type { AnyCollection, Stored } from '../collection.js';
import type { MongoTarget } from '../mongo/copy/mongo-target.js';
import type { SqliteSource } from '../sqlite/copy/sqlite-source.js';

type Source = Pick<SqliteSource, 'collections' | 'count' | 'pages'>;
type Target = Pick<MongoTarget, 'name' | 'insert' | 'read'>;

/** The number of records of each collection, by its name. */
export type Counts = Readonly<Record<string, number>>;

/** Receives the number of records that are done, of those that the source has. */
export interface CopyProgress {
  begin(what: string, total: number): void;
  add(records: number): void;
}

/** Copies every record. */
export async function copyStore(
  source: Source,
  target: Target,
  progress: CopyProgress,
): Promise<void> {
  progress.begin('Copying', totalOf(source));
  for (const collection of source.collections) {
    for (const page of source.pages(collection)) {
      await target.insert(collection, page);
      progress.add(page.length);
    }
  }
}

/**
 * Compares each record of the target with that of the source.
 *
 * @throws StartupError that names the first difference
 */
export async function verifyCopy(
  source: Source,
  target: Target,
  progress: CopyProgress,
): Promise<Counts> {
  progress.begin('Verifying', totalOf(source));
  const counts: Record<string, number> = {};
  for (const collection of source.collections) {
    counts[collection.name] = await verifyCollection(collection, source, target, progress);
  }
  return counts;
}

async function verifyCollection(
  collection: AnyCollection,
  source: Source,
  target: Target,
  progress: CopyProgress,
): Promise<number> {
  const records = recordsOf(source, collection);
  const differentIn = ({ _id }: Stored) =>
    new StartupError(
      `The copy differs from the store in ${_id} (${titleOf(collection.name)}): name another empty database in ` +
        `MONGODB_URI, or drop the database ${target.name} as an administrator, and run the command again.`,
    );
  let count = 0;
  for await (const copy of target.read(collection)) {
    const record = records.next().value;
    if (!isDeepStrictEqual(copy, record)) throw differentIn(firstOf(copy, record));
    count += 1;
    progress.add(1);
  }
  const missing = records.next().value;
  if (missing) throw differentIn(missing);
  return count;
}

function* recordsOf(source: Source, collection: AnyCollection): Generator<Stored, undefined> {
  for (const page of source.pages(collection)) yield* page;
}

/** Of two that differ the one whose id the other store does not have. */
const firstOf = (copy: Stored, record: Stored | undefined) =>
  record && record._id < copy._id ? record : copy;

/** The name of a collection as the operator reads it. */
export const titleOf = (name: string): string => name.replaceAll('_', ' ');

const totalOf = (source: Source) =>
  source.collections.reduce((total, collection) => total + source.count(collection), 0);
