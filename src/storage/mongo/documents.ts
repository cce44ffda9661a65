import { mongo } from 'mongoose';
import { type AnyCollection, type Field, type Stored, field } from '../collection.js';

/** Maps the records of a collection to documents: ids become ObjectIds, everything else stays. */
export class Documents {
  /** Statements use the driver directly: building a Mongoose query takes as long as sending it. */
  readonly driver: mongo.Collection;
  private readonly fields: ReadonlyMap<string, Field<unknown>>;

  constructor(
    database: mongo.Db,
    readonly collection: AnyCollection,
  ) {
    this.driver = database.collection(collection.name);
    this.fields = new Map(Object.entries({ ...collection.fields, version: field.integer() }));
  }

  /**
   * The document of a record.
   *
   * @param version replaces the record's version
   * @throws Error if the record has no value for a field
   */
  encode(record: Stored, version: number): mongo.Document {
    const values = { ...record, version } as Record<string, unknown>;
    const document: mongo.Document = {};
    for (const name of this.fields.keys()) document[name] = this.encodeField(name, values[name]);
    return document;
  }

  /** The record of a document. Missing fields get their initial value. */
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
   * The stored form of a field's value.
   *
   * @throws Error if the value is undefined or the field is not declared
   */
  encodeField(name: string, value: unknown): unknown {
    if (value === null && !this.field(name).isNullable) throw this.error(name, 'is null');
    return this.encodeValue(name, value);
  }

  /**
   * The stored form of a value to compare with.
   *
   * @throws Error if the value is undefined or the field is not declared
   */
  encodeValue(name: string, value: unknown): unknown {
    const { kind } = this.field(name);
    // The driver would store null.
    if (hasUndefined(value)) throw this.error(name, 'is undefined');
    return kind === 'id' && value !== null ? new mongo.ObjectId(value as string) : value;
  }

  /** @throws Error if the field is not declared */
  field(name: string): Field<unknown> {
    const field = this.fields.get(name);
    if (!field) throw this.error(name, 'is not declared');
    return field;
  }

  private error(field: string, problem: string): Error {
    return new Error(`The field ${field} of ${this.collection.name} ${problem}`);
  }
}

/** Whether a value is undefined or contains undefined. */
function hasUndefined(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value === undefined;
  return !(value instanceof Date) && Object.values(value).some(hasUndefined);
}
