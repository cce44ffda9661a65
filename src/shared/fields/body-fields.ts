/** The fields of a JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields that are not null, and the named ones, in which null is a value. */
export const withoutNulls = (fields: Fields, ...kept: string[]): Fields =>
  Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => value !== null || kept.includes(name)),
  );
