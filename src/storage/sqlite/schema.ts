import fs from 'node:fs';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { StartupError } from '../../shared/errors/startup-error.js';
import { indexesOf, indexName } from '../filter.js';
import type { AnyCollection } from '../collection.js';
import type { OpenMode } from '../store.js';
import { Codec, type Column, quoted, type Value } from './codec.js';

/**
 * Changes to the meaning of stored records, each from one schema to the next; new fields and indexes follow from the declarations.
 * Never change a released migration; append another.
 */
const MIGRATIONS: readonly string[] = [];

/** The schema this version writes. */
export const SCHEMA = MIGRATIONS.length + 1;

/**
 * Runs pending migrations, after a copy of the store, and creates missing tables, columns and indexes, in one transaction.
 *
 * @throws StartupError if the store is newer than this version, or older and opened by a command, which migrates nothing
 */
export function bringUpToDate(
  database: DatabaseSyncInstance,
  collections: readonly AnyCollection[],
  mode: OpenMode = 'service',
  migrations = MIGRATIONS,
): void {
  const schema = migrations.length + 1;
  const before = requireKnown(database, undefined, schema);
  if (before > 0 && before < schema) {
    if (mode === 'command') throw outdated(database);
    copyBefore(database, schema);
  }
  database.exec('BEGIN IMMEDIATE');
  try {
    const version = requireKnown(database, undefined, schema);
    database.exec(version === 0 ? '' : migrations.slice(version - 1).join(';'));
    const missing = missingIn(database, collections);
    database.exec([...missing, `PRAGMA user_version = ${schema}`, 'COMMIT'].join(';'));
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

const outdated = (database: DatabaseSyncInstance) =>
  new StartupError(
    `The store ${database.location()} was written by an earlier version. Start this version of the service first to migrate it.`,
  );

/**
 * Stores a copy of the store as it is before a migration, for returning to the earlier version. Replaces
 * the copy from an interrupted migration.
 */
function copyBefore(database: DatabaseSyncInstance, schema: number): void {
  const copy = `${database.location()}.before-v${schema}`;
  fs.writeFileSync(copy, '', { mode: 0o600 });
  database.prepare('VACUUM INTO ?').run(copy);
}

/** Whether a store has this version's schema and every declared table, column and index. */
export const isUpToDate = (
  database: DatabaseSyncInstance,
  collections: readonly AnyCollection[],
): boolean => requireKnown(database) === SCHEMA && missingIn(database, collections).length === 0;

/** The statements that create missing declared items. */
function missingIn(
  database: DatabaseSyncInstance,
  collections: readonly AnyCollection[],
): string[] {
  const existing = namesIn(database, 'SELECT name FROM sqlite_schema');
  return collections.flatMap((collection) => {
    const { name, unique } = collection;
    const { columns } = new Codec(collection);
    const definitions = columns.map(toDefinition).join(', ');
    const present = namesIn(database, 'SELECT name FROM pragma_table_info(?)', name);
    const table = existing.has(name)
      ? columns
          .filter((column) => !present.has(column.name))
          .map((column) => `ALTER TABLE ${quoted(name)} ADD COLUMN ${toDefinition(column)}`)
      : [`CREATE TABLE ${quoted(name)} (${definitions}) STRICT, WITHOUT ROWID`];
    const indexes = indexesOf(collection)
      .map((fields) => [indexName(collection, fields), fields] as const)
      .filter(([index]) => !existing.has(index))
      .map(([index, fields]) => {
        const kind = unique.includes(fields) ? 'UNIQUE INDEX' : 'INDEX';
        return `CREATE ${kind} ${quoted(index)} ON ${quoted(name)} (${fields.map(quoted).join(', ')})`;
      });
    return [...table, ...indexes];
  });
}

const namesIn = (
  database: DatabaseSyncInstance,
  select: string,
  ...parameters: string[]
): ReadonlySet<string> => {
  const rows = database.prepare(select).all(...parameters) as { name: string }[];
  return new Set(rows.map(({ name }) => name));
};

function toDefinition({ name, type, isNullable, initial }: Column): string {
  const key = name === '_id' ? ' PRIMARY KEY' : '';
  const constraint = isNullable ? '' : ' NOT NULL';
  const value = initial === undefined ? '' : ` DEFAULT ${toLiteral(initial)}`;
  return `${quoted(name)} ${type}${key}${constraint}${value}`;
}

const toLiteral = (value: Value): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);

/**
 * @param name the name of the store, for the operator
 * @returns its schema version; 0 for an empty store
 * @throws StartupError if the store is newer than this version
 */
export function requireKnown(
  database: DatabaseSyncInstance,
  name = `The store ${database.location()}`,
  known = SCHEMA,
): number {
  const row = database.prepare('PRAGMA user_version').get() as { user_version: number };
  if (row.user_version <= known) return row.user_version;
  throw new StartupError(
    `${name} has schema ${row.user_version} but this program supports ${known}. Use the newer version that wrote it.`,
  );
}
