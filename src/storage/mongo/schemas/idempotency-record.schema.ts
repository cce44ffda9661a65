import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, type Types } from 'mongoose';
import { DELETED_AFTER } from './expiry.js';

@Schema({
  collection: 'idempotency_records',
  // Stores a result with its empty objects.
  minimize: false,
})
export class StoredIdempotencyRecord {
  @Prop({ type: String, required: true })
  _id!: string;

  /** The account; absent in a record of an earlier version, which expires within a day. */
  @Prop({ type: SchemaTypes.ObjectId })
  owner?: Types.ObjectId;

  /** Numbers the account's records in the order in which they are stored. */
  @Prop({ type: Number })
  sequence?: number;

  @Prop({ required: true })
  requestHash!: string;

  @Prop({ type: SchemaTypes.Mixed, required: true })
  result!: object;

  @Prop({ required: true, index: DELETED_AFTER })
  expiresAt!: Date;
}

export const IdempotencyRecordSchema = SchemaFactory.createForClass(StoredIdempotencyRecord);
IdempotencyRecordSchema.index(
  { owner: 1, sequence: 1 },
  { unique: true, partialFilterExpression: { owner: { $exists: true } } },
);
