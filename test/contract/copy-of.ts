/** A deep copy of a stored value. It is of the classes of the tests, which those of `structuredClone` are not. */
export function copyOf<T>(value: T): T;
export function copyOf(value: unknown): unknown {
  if (value instanceof Date) return new Date(value);
  if (Array.isArray(value)) return value.map((each: unknown) => copyOf(each));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, copyOf(each)]));
}
