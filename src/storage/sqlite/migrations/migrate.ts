import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { StartupError } from '../../../shared/errors/startup-error.js';
import { searchForm } from '../../../shared/fields/search-form.js';
import type { AnyCollection } from '../../collection.js';
import { schemaChanges } from '../schema.js';
import { FROM_0_5 } from './from-0.5.js';

/** The schema of version 0.5, the oldest that is migrated. */
export const OLDEST_SCHEMA = 9;

/**
 * Changes of meaning, each from the schema before; what is only added follows from the declarations. A released migration is never
 * changed: a change is one more.
 */
const MIGRATIONS: readonly string[] = [FROM_0_5];

/** The schema that this program writes. */
export const SCHEMA = OLDEST_SCHEMA + MIGRATIONS.length;

/** Whether a store has this program's schema, and every table, column and index that is declared. */
export const isUpToDate = (
  database: DatabaseSyncInstance,
  collections: readonly AnyCollection[],
): boolean =>
  schemaVersion(database) === SCHEMA && schemaChanges(database, collections).missing.length === 0;

/** The version of a store's schema; 0 in an empty one. */
export function schemaVersion(database: DatabaseSyncInstance): number {
  const row = database.prepare('PRAGMA user_version').get() as { user_version: number };
  return row.user_version;
}

/**
 * Brings a store to the declarations of its collections, in one transaction.
 *
 * @throws StartupError where the store is newer than this program, or older than 0.5
 */
export function migrate(
  database: DatabaseSyncInstance,
  collections: readonly AnyCollection[],
): void {
  const version = requireKnown(database);
  const migrations = version === 0 ? [] : MIGRATIONS.slice(version - OLDEST_SCHEMA);
  try {
    database.function('search_form', searchForm);
    database.exec(`BEGIN IMMEDIATE; ${migrations.join('')}`);
    const { surplus, missing } = schemaChanges(database, collections);
    database.exec([...surplus, ...missing, `PRAGMA user_version = ${SCHEMA}`, 'COMMIT'].join(';'));
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/**
 * @param name of the store for the operator
 * @returns the version of its schema
 * @throws StartupError where this program does not know it
 */
export function requireKnown(
  database: DatabaseSyncInstance,
  name = `The store ${database.location()}`,
): number {
  const schema = schemaVersion(database);
  if (schema > SCHEMA) {
    throw new StartupError(
      `${name} has schema ${schema} and this program knows ${SCHEMA}: use the newer version that has written it.`,
    );
  }
  if (schema > 0 && schema < OLDEST_SCHEMA) {
    throw new StartupError(
      `${name} has schema ${schema}, which a version before 0.5 has written: start version 0.5 once, which migrates it, ` +
        'and then this one.',
    );
  }
  return schema;
}
