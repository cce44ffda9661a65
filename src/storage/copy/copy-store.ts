import { StartupError } from '../../shared/errors/startup-error.js';
import type { MongoTarget } from '../mongo/copy/mongo-target.js';
import type { SqliteSource } from '../sqlite/copy/sqlite-source.js';
import { ALL_KINDS, type Counts, type Kind, KINDS } from '../stored-records.js';
import { checksum } from './checksum.js';

type Source = Pick<SqliteSource, 'count' | 'pages'>;
type Target = Pick<MongoTarget, 'name' | 'lastId' | 'count' | 'insert' | 'read'>;

/** Receives the number of records that are done, of those that the source has. */
export interface CopyProgress {
  begin(what: string, total: number, done: number): void;
  add(records: number): void;
}

/** Copies the records that the target does not have yet. */
export async function copyStore(
  source: Source,
  target: Target,
  progress: CopyProgress,
): Promise<void> {
  let copied = 0;
  for (const kind of ALL_KINDS) copied += await target.count(kind);
  progress.begin('Copying', totalOf(source), copied);
  for (const kind of ALL_KINDS) {
    const last = await target.lastId(kind);
    for (const page of source.pages(kind, last)) {
      await target.insert(kind, page);
      progress.add(page.length);
    }
  }
}

/**
 * Compares each record of the target with that of the source, by their checksums.
 *
 * @returns the number of records of each kind
 * @throws StartupError that names the first difference
 */
export async function verifyCopy(
  source: Source,
  target: Target,
  progress: CopyProgress,
): Promise<Counts> {
  progress.begin('Verifying', totalOf(source), 0);
  const counts: Partial<Record<Kind, number>> = {};
  for (const kind of ALL_KINDS) counts[kind] = await verifyKind(kind, source, target, progress);
  return counts as Counts;
}

async function verifyKind(
  kind: Kind,
  source: Source,
  target: Target,
  progress: CopyProgress,
): Promise<number> {
  const copies = target.read(kind);
  const nextCopy = async () => (await copies.next()).value as { _id: string } | undefined;
  let count = 0;
  try {
    for (const page of source.pages(kind)) {
      for (const record of page) {
        const copy = await nextCopy();
        if (copy?._id !== record._id) throw different(target, kind, firstId(record, copy));
        if (checksum(copy) !== checksum(record)) throw different(target, kind, record._id);
      }
      count += page.length;
      progress.add(page.length);
    }
    const surplus = await nextCopy();
    if (surplus) throw different(target, kind, surplus._id);
    return count;
  } finally {
    await copies.return(undefined);
  }
}

/** Of two ids the one that the other store does not have. */
const firstId = (record: { _id: string }, copy: { _id: string } | undefined) =>
  copy && copy._id < record._id ? copy._id : record._id;

const different = ({ name }: Target, kind: Kind, _id: string) =>
  new StartupError(
    `The copy differs from the store in ${_id} (${KINDS[kind]}): name another empty database in MONGODB_URI, or ` +
      `drop the database ${name} as an administrator, and run the command again.`,
  );

const totalOf = (source: Source) =>
  ALL_KINDS.reduce((total, kind) => total + source.count(kind), 0);
