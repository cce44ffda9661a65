import {
  type AnyCollection,
  type FieldKind,
  fromJson,
  type Stored,
  toJson,
  field,
} from '../collection.js';

/** A value as SQLite stores it: times as milliseconds since 1970, UTC; lists and JSON as text. */
export type Value = string | number | null;

/** The values of a record in the order of {@link Codec.columns}. */
export type Row = readonly Value[];

type ColumnType = 'TEXT' | 'INTEGER';

interface KindCodec {
  readonly type: ColumnType;
  readonly encode?: (value: never) => Value;
  readonly decode?: (value: never) => unknown;
}

const KINDS: Readonly<Record<FieldKind, KindCodec>> = {
  id: { type: 'TEXT' },
  text: { type: 'TEXT' },
  integer: { type: 'INTEGER' },
  boolean: { type: 'INTEGER', encode: (value: boolean) => Number(value), decode: Boolean },
  time: {
    type: 'INTEGER',
    encode: (time: Date) => time.getTime(),
    decode: (milliseconds: number) => new Date(milliseconds),
  },
  list: {
    type: 'TEXT',
    encode: (values: unknown[]) => JSON.stringify(values),
    decode: (text: string) => JSON.parse(text) as unknown,
  },
  json: { type: 'TEXT', encode: toJson, decode: fromJson },
};

/** The column of a field. */
export interface Column extends KindCodec {
  readonly name: string;
  readonly isNullable: boolean;
  /** The value for rows stored before the column was declared, if such rows exist. */
  readonly initial: Value | undefined;
}

/** Turns the records of a collection into rows of its table, and back. */
export class Codec {
  readonly columns: readonly Column[];
  /** The column names, as listed in SELECT and INSERT. */
  readonly columnList: string;
  /** Copied and then filled, because adding members one by one would take three times the memory. */
  private readonly template: Readonly<Record<string, unknown>>;

  constructor(readonly collection: AnyCollection) {
    const fields = { ...collection.fields, version: field.integer() };
    this.columns = Object.entries(fields).map(([name, { kind, isNullable, initial }]) => {
      const { encode } = KINDS[kind];
      const isEncoded = encode && initial !== undefined && initial !== null;
      const value = isEncoded ? encode(initial as never) : initial;
      return { ...KINDS[kind], name, isNullable, initial: value };
    });
    this.columnList = this.columns.map(({ name }) => quoted(name)).join(', ');
    // A way of building an object with arbitrary names that V8 stores as compactly as a literal.
    const names = Object.fromEntries(this.columns.map(({ name }) => [name, null]));
    this.template = JSON.parse(JSON.stringify(names)) as Record<string, unknown>;
  }

  /** @throws Error if a field is undefined */
  encode(record: Stored): Value[] {
    return this.columns.map((column) => this.toValue(column, Reflect.get(record, column.name)));
  }

  decode<R extends Stored>(row: Row): R {
    const record: Record<string, unknown> = { ...this.template };
    for (let index = 0; index < this.columns.length; index += 1) {
      const { name, decode } = this.columns[index]!;
      const value = row[index]!;
      record[name] = value === null || !decode ? value : decode(value as never);
    }
    return record as unknown as R;
  }

  /**
   * Encodes the value of one field.
   *
   * @throws Error if the value is undefined or the field is not declared
   */
  encodeField(name: string, value: unknown): Value {
    const column = this.columns.find((one) => one.name === name);
    if (!column) throw new Error(`${this.collection.name} has no field ${name}`);
    return this.toValue(column, value);
  }

  private toValue({ name, encode }: Column, value: unknown): Value {
    if (value === undefined) throw new Error(`${this.collection.name}.${name} is undefined`);
    return value === null || !encode ? (value as Value) : encode(value as never);
  }
}

/** The quoted name of a column, which may be a keyword. */
export const quoted = (name: string): string => `"${name}"`;
