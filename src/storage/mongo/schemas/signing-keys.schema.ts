import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, Types } from 'mongoose';
import type {
  RetiredKey,
  SigningKey,
  SigningKeys,
} from '../../../certificates/signing-keys/signing-keys.js';
import { toAccountId } from '../../../shared/ids/account-id.js';

const KEY = { kid: String, x: String, sealedSeed: String, _id: false } as const;
const RETIRED_KEY = { kid: String, x: String, retiredAt: Date, _id: false } as const;

@Schema({ collection: 'signing_keys' })
export class SigningKeysRecord {
  /** The account's id. */
  @Prop({ type: SchemaTypes.ObjectId, required: true })
  _id!: Types.ObjectId;

  @Prop({ required: true, unique: true })
  issuer!: string;

  @Prop({ type: KEY, required: true })
  current!: SigningKey;

  @Prop({ type: KEY, required: true })
  next!: SigningKey;

  @Prop({ type: [RETIRED_KEY], required: true })
  retired!: RetiredKey[];

  @Prop({ required: true })
  rotations!: number;

  @Prop({ required: true })
  createdAt!: Date;

  @Prop({ required: true })
  updatedAt!: Date;
}

export const SigningKeysSchema = SchemaFactory.createForClass(SigningKeysRecord);

export function toSigningKeysRecord(keys: SigningKeys): SigningKeysRecord {
  const { issuer, current, next, retired, rotations, createdAt, updatedAt } = keys;
  return {
    _id: new Types.ObjectId(keys._id),
    issuer,
    current,
    next,
    retired: [...retired],
    rotations,
    createdAt,
    updatedAt,
  };
}

export function toSigningKeys(record: SigningKeysRecord): SigningKeys {
  const { issuer, current, next, retired, rotations, createdAt, updatedAt } = record;
  return {
    _id: toAccountId(record._id.toHexString()),
    issuer,
    current,
    next,
    retired,
    rotations,
    createdAt,
    updatedAt,
  };
}
