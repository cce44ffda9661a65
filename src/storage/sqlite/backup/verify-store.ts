import { pathToFileURL } from 'node:url';
import { DatabaseSync } from '@photostructure/sqlite';
import { StartupError } from '../../../shared/errors/startup-error.js';
import { requireKnown } from '../migrations/migrate.js';

/** What a verified store is. */
export interface VerifiedStore {
  /** The version of its schema. */
  readonly schema: number;
  /** The data keys, wrapped with LICENSE_SECRET; undefined where the store was never used. */
  readonly wrappedKeys: string | undefined;
}

/**
 * Opens a file that no other process writes, and checks all of it: the structure, the indexes and the schema.
 *
 * @param name of the store for the operator
 * @throws StartupError where it is no intact store that this program can open
 */
export function verifyStore(file: string, name: string): VerifiedStore {
  const url = pathToFileURL(file);
  // Otherwise SQLite would make -wal and -shm files beside it.
  url.searchParams.set('immutable', '1');
  let database: InstanceType<typeof DatabaseSync> | undefined;
  try {
    database = new DatabaseSync(url, { readOnly: true });
    const check = database.prepare('PRAGMA integrity_check(1)').get() as {
      integrity_check: string;
    };
    const found = check.integrity_check;
    if (found !== 'ok') throw damaged(name, found.replace(/^\*\*\*.+\n/, ''));
    const schema = requireKnown(database, name);
    if (schema === 0) throw damaged(name, 'it has no records of this service');
    const select = database.prepare("SELECT value FROM deployment WHERE _id = 'data-keys'");
    const row = select.get() as { value: string } | undefined;
    return { schema, wrappedKeys: row?.value };
  } catch (error) {
    throw error instanceof StartupError ? error : damaged(name, (error as Error).message);
  } finally {
    database?.close();
  }
}

const damaged = (name: string, why: string) =>
  new StartupError(`${name} is not an intact store (${why}): take a backup that is.`);
