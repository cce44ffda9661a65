import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, type Types } from 'mongoose';
import { RECORD_OPTIONS } from './record-options.js';

/** An address that an account was logged in to from. */
@Schema({ ...RECORD_OPTIONS, collection: 'login_addresses' })
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
