import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, type Types } from 'mongoose';
import type { Totals } from '../../../dashboard/dashboard.js';

/** The numbers of an account's records, changed with each insert and deletion; absent before its first record. */
@Schema({ collection: 'totals' })
export class TotalsRecord implements Totals {
  /** The account's id. */
  @Prop({ type: SchemaTypes.ObjectId, required: true })
  _id!: Types.ObjectId;

  @Prop({ required: true })
  clientsCount!: number;

  @Prop({ required: true })
  projectsCount!: number;

  @Prop({ required: true })
  licensesCount!: number;
}

export const TotalsSchema = SchemaFactory.createForClass(TotalsRecord);
