import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, Types } from 'mongoose';
import type { User } from '../../../auth/accounts/user.js';
import { toAccountId } from '../../../shared/ids/account-id.js';

@Schema({ collection: 'users' })
export class UserRecord {
  @Prop({ type: SchemaTypes.ObjectId, required: true })
  _id!: Types.ObjectId;

  @Prop({ required: true })
  name!: string;

  @Prop({ required: true, unique: true })
  email!: string;

  @Prop({ required: true })
  passwordHash!: string;

  @Prop({ required: true })
  createdAt!: Date;

  @Prop({ required: true })
  updatedAt!: Date;

  /** Records of earlier versions have none: they are enabled. */
  @Prop({ type: Date, default: null })
  disabledAt?: Date | null;

  /** Changed by each start of a session, so that it conflicts with a change of the password. */
  @Prop({ type: SchemaTypes.ObjectId })
  latestSession?: Types.ObjectId;
}

export const UserSchema = SchemaFactory.createForClass(UserRecord);

export function toUserRecord(user: User): UserRecord {
  return { ...user, _id: new Types.ObjectId(user._id) };
}

export function toUser(record: UserRecord): User {
  return {
    _id: toAccountId(record._id.toHexString()),
    name: record.name,
    email: record.email,
    passwordHash: record.passwordHash,
    createdAt: record.createdAt,
    updatedAt: record.updatedAt,
    disabledAt: record.disabledAt ?? null,
  };
}

/** An account that was deleted: nothing is created for it by an access token that has not expired. */
@Schema({ collection: 'deleted_accounts' })
export class DeletedAccountRecord {
  /** The account's id. */
  @Prop({ type: SchemaTypes.ObjectId, required: true })
  _id!: Types.ObjectId;

  @Prop({ required: true })
  deletedAt!: Date;
}

export const DeletedAccountSchema = SchemaFactory.createForClass(DeletedAccountRecord);
