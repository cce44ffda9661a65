import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, Types } from 'mongoose';
import type { Session } from '../../../auth/session.js';
import { RECORD_OPTIONS } from './record-options.js';

@Schema({ ...RECORD_OPTIONS, collection: 'sessions' })
export class SessionRecord {
  @Prop({ type: SchemaTypes.ObjectId, required: true })
  _id!: Types.ObjectId;

  @Prop({ type: SchemaTypes.ObjectId, required: true, index: true })
  user!: Types.ObjectId;

  // No TTL index: expiry is judged by the service's clock, not by the server's.
  @Prop({ required: true, index: true })
  expiresAt!: Date;
}

export const SessionSchema = SchemaFactory.createForClass(SessionRecord);

export function toSessionRecord(session: Session): SessionRecord {
  return {
    _id: new Types.ObjectId(session._id),
    user: new Types.ObjectId(session.user),
    expiresAt: session.expiresAt,
  };
}

export function toSession(record: SessionRecord): Session {
  return {
    _id: record._id.toHexString(),
    user: record.user.toHexString(),
    expiresAt: record.expiresAt,
  };
}
