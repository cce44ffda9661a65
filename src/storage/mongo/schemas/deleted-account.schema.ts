import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, type Types } from 'mongoose';
import { RECORD_OPTIONS } from './record-options.js';

/** An account that was deleted: nothing is created for it by an access token that has not expired. */
@Schema({ ...RECORD_OPTIONS, collection: 'deleted_accounts' })
export class DeletedAccountRecord {
  /** The account's id. */
  @Prop({ type: SchemaTypes.ObjectId, required: true })
  _id!: Types.ObjectId;

  @Prop({ required: true })
  deletedAt!: Date;
}

export const DeletedAccountSchema = SchemaFactory.createForClass(DeletedAccountRecord);
