import { type AnyFilter, type Condition, isCondition } from '../../src/storage/filter.js';

/** Whether a filter selects a record. */
export const matches = (record: object, { comparisons, and, or }: AnyFilter): boolean =>
  comparisons.every(([field, comparison]) =>
    isCondition(comparison)
      ? meets(valueOf(record, field), comparison)
      : equals(valueOf(record, field), comparison),
  ) &&
  and.every((filter) => matches(record, filter)) &&
  (or === undefined || or.some((filter) => matches(record, filter)));

/** Whether two values are the same; null equals null. */
export const equals = (a: unknown, b: unknown): boolean =>
  a === b || (typeof a !== 'string' && typeof a === typeof b && compare(a, b) === 0);

/** The order of two values of one type: null first, texts by their UTF-8 bytes. */
export function compare(a: unknown, b: unknown): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  if (typeof a === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b as string));
  return Number(a) - Number(b);
}

export const valueOf = (record: object, field: string): unknown =>
  (record as Record<string, unknown>)[field];

const meets = (
  value: unknown,
  { oneOf, from, before, startsWith, contains, has }: Condition<unknown>,
): boolean =>
  value !== null &&
  (oneOf === undefined || oneOf.some((one) => equals(value, one))) &&
  (from === undefined || compare(value, from) >= 0) &&
  (before === undefined || compare(value, before) < 0) &&
  (startsWith === undefined || (value as string).startsWith(startsWith)) &&
  (contains === undefined || (value as string).includes(contains)) &&
  (has === undefined || (value as unknown[]).includes(has));

/** A deep copy of a stored value. It is of the classes of the tests, which those of `structuredClone` are not. */
export function copyOf<T>(value: T): T;
export function copyOf(value: unknown): unknown {
  if (value instanceof Date) return new Date(value);
  if (Array.isArray(value)) return value.map((each: unknown) => copyOf(each));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, copyOf(each)]));
}
