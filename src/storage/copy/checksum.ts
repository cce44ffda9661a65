import { createHash } from 'node:crypto';

/** SHA-256 of all fields of a record, whatever their order. */
export const checksum = (record: object): string =>
  createHash('sha256')
    .update(JSON.stringify(canonical(record)))
    .digest('base64url');

/** A value as JSON can tell it: fields sorted by name, a time distinct from a text. */
function canonical(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return { $date: value.getTime() };
  if (Array.isArray(value)) return value.map(canonical);
  const fields = Object.entries(value).map(([name, field]) => [name, canonical(field)] as const);
  return Object.fromEntries(fields.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
