import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { StartupError } from '../../../shared/errors/startup-error.js';
import type { AnyCollection } from '../../collection.js';
import { schemaChanges } from '../schema.js';

/**
 * Changes to the meaning of stored records, each from one schema to the next; new fields and indexes follow from the declarations.
 * Never change a released migration: append another one.
 */
const MIGRATIONS: readonly string[] = [];

/** The schema that this program writes. */
export const SCHEMA = MIGRATIONS.length + 1;

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
 * @throws StartupError if the store is newer than this program
 */
export function migrate(
  database: DatabaseSyncInstance,
  collections: readonly AnyCollection[],
  migrations = MIGRATIONS,
): void {
  const schema = migrations.length + 1;
  const version = requireKnown(database, undefined, schema);
  const due = version === 0 ? [] : migrations.slice(version - 1);
  try {
    database.exec(`BEGIN IMMEDIATE; ${due.join(';')}`);
    const { surplus, missing } = schemaChanges(database, collections);
    database.exec([...surplus, ...missing, `PRAGMA user_version = ${schema}`, 'COMMIT'].join(';'));
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/**
 * @param name of the store for the operator
 * @returns the version of its schema
 * @throws StartupError if the store is newer than this program
 */
export function requireKnown(
  database: DatabaseSyncInstance,
  name = `The store ${database.location()}`,
  known = SCHEMA,
): number {
  const schema = schemaVersion(database);
  if (schema <= known) return schema;
  throw new StartupError(
    `${name} has schema ${schema} and this program knows ${known}: use the newer version that has written it.`,
  );
}
