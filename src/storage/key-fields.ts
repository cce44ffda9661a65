import type { AnyCollection } from './collection.js';

const ID: readonly string[] = ['_id'];

/**
 * The fields by which a key names one record, in the order in which they are declared.
 *
 * @throws Error where they are neither `_id` nor a unique set
 */
export function keyFields({ name, unique }: AnyCollection, key: object): readonly string[] {
  const names = Object.keys(key);
  if (names.length === 1 && names[0] === '_id') return ID;
  const sets: readonly (readonly string[])[] = unique;
  const fields = sets.find(
    (set) => set.length === names.length && set.every((field) => field in key),
  );
  if (!fields) throw new Error(`${names.join(', ')} is no key of ${name}`);
  return fields;
}
