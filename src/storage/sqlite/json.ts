/** The one member of an object that stands for a date. */
const DATE = '$date';

/** Members that are named so are not meant as a date: they are stored with one more `$`. */
const LIKE_DATE = /^\$+date$/;

/**
 * JSON in which `{"$date": "<ISO 8601>"}` stands for a date.
 *
 * @throws Error where a value is undefined, which JSON does not have
 */
export const toJson = (value: unknown): string => JSON.stringify(withTags(value));

export const fromJson = (json: string): unknown => withDates(JSON.parse(json));

function withTags(value: unknown): unknown {
  if (value === undefined) throw new Error('A member of stored JSON is undefined');
  if (value instanceof Date) return { [DATE]: value.toISOString() };
  return mapMembers(value, withTags, (name) => (LIKE_DATE.test(name) ? `$${name}` : name));
}

function withDates(value: unknown): unknown {
  const date = (value as { [DATE]?: string } | null)?.[DATE];
  if (date !== undefined) return new Date(date);
  return mapMembers(value, withDates, (name) => (LIKE_DATE.test(name) ? name.slice(1) : name));
}

function mapMembers(
  value: unknown,
  map: (member: unknown) => unknown,
  rename: (name: string) => string,
): unknown {
  if (Array.isArray(value)) return value.map(map);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [rename(name), map(member)]),
  );
}
