import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { StartupError } from '../../../shared/errors/startup-error.js';
import { searchForm } from '../../../shared/search/search-form.js';
import { initial } from './001-initial.js';
import { lifeOfALicense } from './002-life-of-a-license.js';
import { searchOfClients } from './003-search-of-clients.js';
import { accountsAndSessions } from './004-accounts-and-sessions.js';
import { ownersOfIdempotencyRecords } from './005-owners-of-idempotency-records.js';
import { idempotencyRecords } from './006-idempotency-records.js';
import { products } from './007-products.js';
import { certificates } from './008-certificates.js';
import { deletedProjects } from './009-deleted-projects.js';

/** In order. A released migration is never changed: a change is one more migration. */
export const MIGRATIONS: readonly string[] = [
  initial,
  lifeOfALicense,
  searchOfClients,
  accountsAndSessions,
  ownersOfIdempotencyRecords,
  idempotencyRecords,
  products,
  certificates,
  deletedProjects,
];

/** Whether a store has the newest schema that this program knows. */
export function isUpToDate(database: DatabaseSyncInstance): boolean {
  return schemaVersion(database) === MIGRATIONS.length;
}

/** The number of migrations that a store has had. */
export function schemaVersion(database: DatabaseSyncInstance): number {
  const row = database.prepare('PRAGMA user_version').get() as { user_version: number };
  return row.user_version;
}

/**
 * Brings a store to the newest schema, each migration in a transaction of its own.
 *
 * @throws StartupError where the store is newer than this program
 */
export function migrate(database: DatabaseSyncInstance): void {
  const version = schemaVersion(database);
  if (version > MIGRATIONS.length) {
    throw new StartupError(
      `The store ${database.location()} has schema ${version} and this program knows ${MIGRATIONS.length}: ` +
        'start the newer version that has written it.',
    );
  }
  database.function('search_form', (name: string) => searchForm(name));
  // Otherwise no migration could change the text of a table.
  database.enableDefensive(false);
  MIGRATIONS.slice(version).forEach((migration, index) => {
    try {
      database.exec(
        `BEGIN IMMEDIATE; ${migration} PRAGMA user_version = ${version + index + 1}; COMMIT;`,
      );
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK');
      throw error;
    }
  });
  database.enableDefensive(true);
}
