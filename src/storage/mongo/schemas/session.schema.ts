import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, Types } from 'mongoose';
import type { RefreshTokenHashes, Session } from '../../../auth/sessions/session.js';
import { toAccountId } from '../../../shared/ids/account-id.js';
import { DELETED_AFTER } from './expiry.js';

@Schema({ collection: 'sessions' })
export class SessionRecord {
  @Prop({ type: SchemaTypes.ObjectId, required: true })
  _id!: Types.ObjectId;

  @Prop({ type: SchemaTypes.ObjectId, required: true, index: true })
  user!: Types.ObjectId;

  @Prop({ required: true })
  startedAt!: Date;

  @Prop({ required: true, index: DELETED_AFTER })
  expiresAt!: Date;

  // Neither index is unique: records of an earlier version lack both fields when the indexes are made.
  @Prop({ required: true, index: true })
  familyHash!: string;

  /** Of the latest token. */
  @Prop({ required: true, index: true })
  tokenHash!: string;
}

export const SessionSchema = SchemaFactory.createForClass(SessionRecord);

export function toSessionRecord(
  session: Session,
  { familyHash, tokenHash }: RefreshTokenHashes,
): SessionRecord {
  const { _id, user } = session;
  return {
    ...session,
    _id: new Types.ObjectId(_id),
    user: new Types.ObjectId(user),
    familyHash,
    tokenHash,
  };
}

export function toSession(record: SessionRecord): Session {
  return {
    _id: record._id.toHexString(),
    user: toAccountId(record.user.toHexString()),
    startedAt: record.startedAt,
    expiresAt: record.expiresAt,
  };
}

/** An address that an account was logged in to from. */
@Schema({ collection: 'login_addresses' })
export class LoginAddressRecord {
  /** Keyed hash of the account's e-mail address and the caller's address. */
  @Prop({ type: String, required: true })
  _id!: string;

  @Prop({ type: SchemaTypes.ObjectId, required: true, index: true })
  user!: Types.ObjectId;

  @Prop({ required: true })
  usedAt!: Date;
}

export const LoginAddressSchema = SchemaFactory.createForClass(LoginAddressRecord);
