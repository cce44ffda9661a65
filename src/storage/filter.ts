/** A comparison of a field with something else than one value. Times and numbers are compared as such, texts by their UTF-8 bytes. */
export interface Condition<V> {
  /** Equal to one of these; nothing equals one of none. */
  readonly oneOf?: readonly NonNullable<V>[];
  /** Not null. */
  readonly not?: null;
  /** This value or a greater one. */
  readonly from?: NonNullable<V>;
  /** A smaller value than this. */
  readonly before?: NonNullable<V>;
  /** A text that begins with this one, every character literal; it is not empty, and ends with no surrogate or U+10FFFF. */
  readonly startsWith?: string;
  /** A text that contains this one, every character literal. */
  readonly contains?: string;
  /** A list that has this value. */
  readonly has?: string | number;
}

/** What a field may be compared with: a value means equality, null the absence of one. */
export type Comparison<V> = V | Condition<V>;

type Comparable = string | number | boolean | Date | null;

type Items = readonly (string | number)[];

/** Lists are compared by what they have. */
type Comparisons<R> = {
  readonly [K in keyof R as R[K] extends Comparable | Items ? K : never]?: R[K] extends Items
    ? { readonly has: R[K][number] }
    : Comparison<R[K]>;
};

/**
 * Selects records: all comparisons hold, all of `and` and one of `or` at least. A filter without comparisons selects every record. A
 * null matches no comparison but null itself.
 */
export type Filter<R> = Comparisons<R> & {
  readonly and?: readonly Filter<R>[];
  readonly or?: readonly Filter<R>[];
};

/** A filter as the engines read it, whatever the record. */
export interface AnyFilter {
  readonly comparisons: readonly (readonly [field: string, comparison: Comparison<unknown>])[];
  readonly and: readonly AnyFilter[];
  readonly or: readonly AnyFilter[] | undefined;
}

/** @throws Error where a field is compared with no value and no {@link Condition}, which would select records that were not meant */
export function readFilter<R>(filter: Filter<R>): AnyFilter {
  const { and = [], or, ...fields } = filter as Filter<R> & Record<string, unknown>;
  const comparisons = Object.entries(fields) as [string, Comparison<unknown>][];
  const wrong = comparisons.find(([, comparison]) => !isComparison(comparison));
  if (wrong) throw new Error(`The field ${wrong[0]} is compared with no value and no condition`);
  return { comparisons, and: and.map(readFilter), or: or?.map(readFilter) };
}

const isText = (value: unknown) => typeof value === 'string';
const isValue = (value: unknown) =>
  isText(value) || typeof value === 'number' || typeof value === 'boolean' || value instanceof Date;

const OPERANDS: Record<keyof Condition<unknown>, (operand: unknown) => boolean> = {
  oneOf: (operand) => Array.isArray(operand) && operand.every(isValue),
  not: (operand) => operand === null,
  from: isValue,
  before: isValue,
  startsWith: (operand) => isText(operand) && operand !== '',
  contains: isText,
  has: (operand) => isText(operand) || typeof operand === 'number',
};

function isComparison(comparison: unknown): boolean {
  if (!isCondition(comparison)) return comparison === null || isValue(comparison);
  const operands = Object.entries(comparison) as [keyof Condition<unknown>, unknown][];
  return (
    operands.length > 0 &&
    operands.every(([name, operand]) => Object.hasOwn(OPERANDS, name) && OPERANDS[name](operand))
  );
}

/** Whether a field is compared by a {@link Condition}, and not with one value. */
export const isCondition = (comparison: unknown): comparison is Condition<unknown> =>
  typeof comparison === 'object' && comparison !== null && !(comparison instanceof Date);

/** The comparisons that were given: those with undefined are left out. */
export function given<T extends object>(
  comparisons: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(comparisons).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

/**
 * The range of texts that begin with a prefix, in UTF-8 byte order, by which both engines sort: from the first of them, the prefix
 * itself, until the first text after them.
 *
 * @param prefix not empty; its last character is neither a surrogate nor U+10FFFF
 */
export function prefixRange(prefix: string): { readonly from: string; readonly until: string } {
  const characters = [...prefix];
  const last = characters.pop()!.codePointAt(0)!;
  // Skip the surrogates, which are not characters.
  const next = last === 0xd7ff ? 0xe000 : last + 1;
  return { from: prefix, until: characters.join('') + String.fromCodePoint(next) };
}
