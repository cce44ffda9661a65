import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { indexesOf, indexName } from '../choose-index.js';
import type { AnyCollection } from '../collection.js';
import { Codec, type Column, quoted, type Value } from './codec.js';

/** The statements that bring a store to the declarations of its collections. */
export interface SchemaChanges {
  /** Run first: they drop indexes that are not declared, or in another way. */
  readonly surplus: readonly string[];
  /** They create tables, columns and indexes. */
  readonly missing: readonly string[];
}

export function schemaChanges(
  database: DatabaseSyncInstance,
  collections: readonly AnyCollection[],
): SchemaChanges {
  const ofEach = collections.map((collection) => {
    const existing = new Map(indexesIn(database, collection));
    const declared = new Map(declaredIndexes(collection));
    const surplus = [...existing].filter(([name, sql]) => declared.get(name) !== sql);
    const missing = [...declared].filter(([name, sql]) => existing.get(name) !== sql);
    return {
      surplus: surplus.map(([name]) => `DROP INDEX ${quoted(name)}`),
      missing: [...missingColumns(database, collection), ...missing.map(([, sql]) => sql)],
    };
  });
  return {
    surplus: ofEach.flatMap(({ surplus }) => surplus),
    missing: ofEach.flatMap(({ missing }) => missing),
  };
}

function missingColumns(database: DatabaseSyncInstance, collection: AnyCollection): string[] {
  const table = quoted(collection.name);
  const { columns } = new Codec(collection);
  const select = database.prepare('SELECT name FROM pragma_table_info(?)');
  const existing = new Set(
    (select.all(collection.name) as { name: string }[]).map(({ name }) => name),
  );
  if (existing.size === 0) {
    return [
      `CREATE TABLE ${table} (${columns.map(toDefinition).join(', ')}) STRICT, WITHOUT ROWID`,
    ];
  }
  return columns
    .filter(({ name }) => !existing.has(name))
    .map((column) => `ALTER TABLE ${table} ADD COLUMN ${toDefinition(column)}`);
}

function toDefinition({ name, type, isNullable, initial }: Column): string {
  const key = name === '_id' ? ' PRIMARY KEY' : '';
  const constraint = isNullable ? '' : ' NOT NULL';
  const value = initial === undefined ? '' : ` DEFAULT ${toLiteral(initial)}`;
  return `${quoted(name)} ${type}${key}${constraint}${value}`;
}

const toLiteral = (value: Value): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);

/** A name and the statement that creates it. */
type Index = readonly [name: string, sql: string];

function indexesIn(database: DatabaseSyncInstance, { name }: AnyCollection): Index[] {
  // Without a statement, an index belongs to a constraint of its table.
  const select = database.prepare(
    "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL",
  );
  return (select.all(name) as { name: string; sql: string }[]).map(({ name, sql }) => [name, sql]);
}

const declaredIndexes = (collection: AnyCollection): Index[] =>
  indexesOf(collection).map((fields) => {
    const name = indexName(collection, fields);
    const kind = collection.unique.includes(fields) ? 'UNIQUE INDEX' : 'INDEX';
    const columns = fields.map(quoted).join(', ');
    return [name, `CREATE ${kind} ${quoted(name)} ON ${quoted(collection.name)} (${columns})`];
  });
