import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, type Types } from 'mongoose';
import { RECORD_OPTIONS } from './record-options.js';

/** A refresh token, spent or not; its id is the database's own. */
@Schema({ ...RECORD_OPTIONS, collection: 'refresh_tokens' })
export class RefreshTokenRecord {
  @Prop({ required: true, unique: true })
  tokenHash!: string;

  @Prop({ type: SchemaTypes.ObjectId, required: true, index: true })
  session!: Types.ObjectId;

  // No TTL index: expiry is judged by the service's clock, not by the server's.
  @Prop({ required: true, index: true })
  expiresAt!: Date;

  @Prop({ type: Date, default: null })
  spentAt!: Date | null;
}

export const RefreshTokenSchema = SchemaFactory.createForClass(RefreshTokenRecord);
