import { mongo } from 'mongoose';
import { type AnyCollection, type Field, integer, type Stored } from '../../collection.js';

/** Converts records of a collection to documents and back: an id is an ObjectId there, everything else as it is. */
export class Codec {
  private readonly fields: ReadonlyMap<string, Field<unknown>>;

  constructor(readonly collection: AnyCollection) {
    const fields = collection.fields as Record<string, Field<unknown>>;
    this.fields = new Map(Object.entries({ ...fields, version: integer() }));
  }

  /**
   * The document of a record.
   *
   * @param version replaces that of the record
   * @throws Error where the record has no value for a field
   */
  encode(record: Stored, version: number): mongo.Document {
    const values = { ...record, version } as Record<string, unknown>;
    const document: mongo.Document = {};
    for (const name of this.fields.keys()) document[name] = this.encodeField(name, values[name]);
    return document;
  }

  /** The values that some fields are to have; as {@link encodeField}. */
  encodeSome(values: object): mongo.Document {
    const entries = Object.entries(values) as [string, unknown][];
    return Object.fromEntries(
      entries.map(([name, value]) => [name, this.encodeField(name, value)]),
    );
  }

  /** The record of a document. A field that the document lacks has its initial value. */
  decode<R extends Stored>(document: mongo.Document): R {
    const record: Record<string, unknown> = {};
    for (const [name, { initial }] of this.fields) {
      const stored: unknown = document[name];
      const value = stored === undefined ? initial : stored;
      record[name] = value instanceof mongo.ObjectId ? value.toHexString() : value;
    }
    return record as unknown as R;
  }

  /**
   * A value that a field is to have.
   *
   * @throws Error where it is none, or the collection has no such field
   */
  encodeField(name: string, value: unknown): unknown {
    if (value === null && !this.field(name).isNullable) throw this.error(name, 'is null');
    return this.encodeValue(name, value);
  }

  /**
   * A value that a field is compared with.
   *
   * @throws Error where it is undefined, or the collection has no such field
   */
  encodeValue(name: string, value: unknown): unknown {
    const { kind } = this.field(name);
    // The driver would store null.
    if (hasUndefined(value)) throw this.error(name, 'is undefined');
    return kind === 'id' && value !== null ? new mongo.ObjectId(value as string) : value;
  }

  /** @throws Error where the collection has no such field */
  field(name: string): Field<unknown> {
    const field = this.fields.get(name);
    if (!field) throw this.error(name, 'is not declared');
    return field;
  }

  private error(field: string, problem: string): Error {
    return new Error(`The field ${field} of ${this.collection.name} ${problem}`);
  }
}

/** Whether a value is undefined or has a part that is. */
function hasUndefined(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value === undefined;
  return !(value instanceof Date) && Object.values(value).some(hasUndefined);
}
