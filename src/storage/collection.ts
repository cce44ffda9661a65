/** The fields every stored record has. */
export interface Stored {
  readonly _id: string;
  /** Differs after each commit that changes the record; set by the store. */
  readonly version: number;
}

/** The version of a record that is not stored yet. */
export const NOT_STORED = 0;

/**
 * How a value is stored: `id` is an object id (24 hex digits), `time` a date with milliseconds in UTC, `list` an
 * array of texts or numbers, `json` any value made of objects, arrays, texts, numbers, booleans, null and dates.
 */
export type FieldKind = 'id' | 'text' | 'integer' | 'boolean' | 'time' | 'list' | 'json';

/** The declaration of one field. */
export class Field<T> {
  declare readonly type: T;

  constructor(
    readonly kind: FieldKind,
    readonly isNullable = false,
    /** The value for records stored before the field was declared, if there are any. */
    readonly initial?: T,
  ) {}

  nullable(): Field<T | null> {
    return new Field<T | null>(this.kind, true, this.initial ?? null);
  }

  /** Declares a field that older records lack; they are read with this value. */
  since(initial: T): Field<T> {
    return new Field<T>(this.kind, this.isNullable, initial);
  }
}

export const id = <T extends string = string>() => new Field<T>('id');
export const text = <T extends string = string>() => new Field<T>('text');
export const integer = () => new Field<number>('integer');
export const boolean = () => new Field<boolean>('boolean');
export const time = () => new Field<Date>('time');
export const list = <T extends string | number>() => new Field<readonly T[]>('list');
export const json = <T extends object>() => new Field<T>('json');

/** A record with these fields. */
export type RecordOf<F extends Readonly<Record<string, Field<unknown>>>> = Stored & {
  readonly [K in keyof F]: F[K]['type'];
};

/** The field names of a record. */
export type FieldOf<R> = Extract<keyof R, string>;

/** The field declarations of a record. */
type Fields<R extends Stored> = { readonly [K in Exclude<FieldOf<R>, 'version'>]: Field<R[K]> };

/** A kind of record: everything the engines need to store it. */
export interface Collection<R extends Stored> {
  /** The name of the table or collection. */
  readonly name: string;
  readonly fields: Fields<R>;
  /** Sets of fields whose combined values are unique; null values are exempt. */
  readonly unique: readonly (readonly FieldOf<R>[])[];
  /** How records are listed and counted: compared fields, then the sort field, then `_id`. */
  readonly indexes: readonly (readonly FieldOf<R>[])[];
  /** The field with the id of the owning account. Deleting the account deletes the record. */
  readonly account?: FieldOf<R>;
  /** The field with the expiry time. The store deletes the record some time after it. */
  readonly expires?: FieldOf<R>;
  /** Whether records found by a unique field are cached, if one process owns the store. */
  readonly cached: boolean;
}

type Declaration<R extends Stored> = Pick<Collection<R>, 'fields'> &
  Partial<Omit<Collection<R>, 'name' | 'fields'>>;

/** A collection of any kind of record, for generic code. */
// oxlint-disable-next-line typescript/no-explicit-any -- a collection is invariant in its record
export type AnyCollection = Collection<any>;

/** Declares a kind of record. The field `version` is implied. */
export const collection = <R extends Stored>(
  name: string,
  declaration: Declaration<R>,
): Collection<R> => ({ name, unique: [], indexes: [], cached: false, ...declaration });

/**
 * The fields of a key that identifies one record, in declaration order.
 *
 * @throws Error if they are neither `_id` nor a unique set
 */
export function keyFields({ name, unique }: AnyCollection, key: object): readonly string[] {
  const names = Object.keys(key);
  const sets: readonly (readonly string[])[] = [ID, ...unique];
  const fields = sets.find(
    (set) => set.length === names.length && set.every((field) => field in key),
  );
  if (!fields) throw new Error(`${names.join(', ')} is not a key of ${name}`);
  return fields;
}

const ID = ['_id'];

/** Prefix of a text in stored JSON that represents a date; doubled to escape other texts with this prefix. */
const MARK = '\0';

/**
 * The stored form of a `json` value: JSON with dates as marked texts.
 *
 * @throws Error if a value is undefined, which JSON cannot represent
 */
export const toJson = (value: unknown): string =>
  JSON.stringify(value, function (this: Record<string, unknown>, name, member: unknown) {
    if (member === undefined) throw new Error('A member of stored JSON is undefined');
    if (typeof member !== 'string') return member;
    return this[name] instanceof Date || member.startsWith(MARK) ? MARK + member : member;
  });

export const fromJson = (json: string): unknown =>
  JSON.parse(json, (_name, member: unknown) => {
    if (typeof member !== 'string' || !member.startsWith(MARK)) return member;
    return member.startsWith(MARK, 1) ? member.slice(1) : new Date(member.slice(1));
  });
