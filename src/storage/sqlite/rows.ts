/** A row as SQLite gives it, by the names of its columns. */
export type Row = Record<string, string | number | null>;

type Column = Row[string] | undefined;

/** A column that holds a time: milliseconds since 1970, UTC. */
export const toDate = (value: Column): Date => new Date(Number(value));

/** A column that holds a time or nothing. */
export const toDateOrNull = (value: Column): Date | null =>
  value === null || value === undefined ? null : toDate(value);

/** A column that holds a text or nothing. */
export const toTextOrNull = (value: Column): string | null =>
  value === null || value === undefined ? null : String(value);

/** A record as SQLite takes it: times in milliseconds, lists as JSON. */
export function toRow(record: object): Row {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, toColumn(value)]));
}

function toColumn(value: unknown): Row[string] {
  if (value instanceof Date) return value.getTime();
  return Array.isArray(value) ? JSON.stringify(value) : (value as Row[string]);
}

/** The INSERT of a whole record, with a named parameter for each of its columns. */
export function insertInto(table: string, columns: readonly string[]): string {
  const parameters = columns.map((column) => `$${column}`);
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${parameters.join(', ')})`;
}
