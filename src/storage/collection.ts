/** What every stored record has. */
export interface Stored {
  readonly _id: string;
  /** Differs after each commit that changes the record; the store sets it. */
  readonly version: number;
}

/** The version of a record that has not been stored. */
export const NOT_STORED = 0;

/**
 * How a value is stored: `id` is an object id (24 hexadecimal characters), `time` a date with milliseconds, UTC, `list` an
 * array of texts or numbers, `json` any value that consists of objects, arrays, texts, numbers, booleans, null and dates.
 */
export type FieldKind = 'id' | 'text' | 'integer' | 'boolean' | 'time' | 'list' | 'json';

/** The declaration of one field. */
export class Field<T> {
  declare readonly type: T;

  constructor(
    readonly kind: FieldKind,
    readonly isNullable = false,
    /** The value in records that were stored before the field was declared; undefined where there are none. */
    readonly initial?: T,
  ) {}

  nullable(): Field<T | null> {
    return new Field<T | null>(this.kind, true, this.initial ?? null);
  }

  /** Declares a field that earlier records do not have: they are read with this value. */
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

/** The names of a record's fields. */
export type FieldOf<R> = Extract<keyof R, string>;

/** The declarations of a record's fields. */
type Fields<R extends Stored> = { readonly [K in Exclude<FieldOf<R>, 'version'>]: Field<R[K]> };

/** A kind of record: everything that the engines need to store it. */
export interface Collection<R extends Stored> {
  /** The name of the table or collection. */
  readonly name: string;
  readonly fields: Fields<R>;
  /** The sets of fields whose values belong to one record at most; null belongs to any number. */
  readonly unique: readonly (readonly FieldOf<R>[])[];
  /** The ways in which records are listed and counted: fields that are compared, then the one that sorts, then `_id`. */
  readonly indexes: readonly (readonly FieldOf<R>[])[];
  /** The field with the id of the account with which a record is deleted. */
  readonly account?: FieldOf<R>;
  /** The field with the time after which a record is of no use: the store deletes it some time later. */
  readonly expires?: FieldOf<R>;
  /** Whether records found by a unique field are kept in memory, where one process owns the store. */
  readonly cached: boolean;
}

type Declaration<R extends Stored> = Pick<Collection<R>, 'fields'> &
  Partial<Omit<Collection<R>, 'name' | 'fields'>>;

/** A collection of any kind of record, for code that treats all alike. */
// oxlint-disable-next-line typescript/no-explicit-any -- a collection is invariant in its record
export type AnyCollection = Collection<any>;

/** Declares a kind of record. The field `version` is implied. */
export const collection = <R extends Stored>(
  name: string,
  declaration: Declaration<R>,
): Collection<R> => ({ name, unique: [], indexes: [], cached: false, ...declaration });

/**
 * The fields by which a key names one record, in the order in which they are declared.
 *
 * @throws Error if they are neither `_id` nor a unique set
 */
export function keyFields({ name, unique }: AnyCollection, key: object): readonly string[] {
  const names = Object.keys(key);
  const sets: readonly (readonly string[])[] = [ID, ...unique];
  const fields = sets.find(
    (set) => set.length === names.length && set.every((field) => field in key),
  );
  if (!fields) throw new Error(`${names.join(', ')} is no key of ${name}`);
  return fields;
}

const ID = ['_id'];
