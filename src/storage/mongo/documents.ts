import { mongo } from 'mongoose';
import { type AnyCollection, type Field, integer, type Stored } from '../collection.js';

/** The records of a collection as documents: an id is an ObjectId there, everything else as it is. */
export class Documents {
  /** Statements go through the driver: to build a query of Mongoose takes as long as to send it. */
  readonly driver: mongo.Collection;
  private readonly fields: ReadonlyMap<string, Field<unknown>>;

  constructor(
    database: mongo.Db,
    readonly collection: AnyCollection,
  ) {
    this.driver = database.collection(collection.name);
    this.fields = new Map(Object.entries({ ...collection.fields, version: integer() }));
  }

  /**
   * The document of a record.
   *
   * @param version replaces that of the record
   * @throws Error if the record has no value for a field
   */
  encode(record: Stored, version: number): mongo.Document {
    const values = { ...record, version } as Record<string, unknown>;
    const document: mongo.Document = {};
    for (const name of this.fields.keys()) document[name] = this.encodeField(name, values[name]);
    return document;
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
   * @throws Error if it is none, or the collection has no such field
   */
  encodeField(name: string, value: unknown): unknown {
    if (value === null && !this.field(name).isNullable) throw this.error(name, 'is null');
    return this.encodeValue(name, value);
  }

  /**
   * A value that a field is compared with.
   *
   * @throws Error if it is undefined, or the collection has no such field
   */
  encodeValue(name: string, value: unknown): unknown {
    const { kind } = this.field(name);
    // The driver would store null.
    if (hasUndefined(value)) throw this.error(name, 'is undefined');
    return kind === 'id' && value !== null ? new mongo.ObjectId(value as string) : value;
  }

  /** @throws Error if the collection has no such field */
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
