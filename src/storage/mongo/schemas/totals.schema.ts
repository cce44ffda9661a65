import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, type Types } from 'mongoose';
import type { Totals } from '../../../dashboard/dashboard.js';

/** How many records a user has, counted with each insert and deletion; absent for a user that never had a record. */
@Schema({ collection: 'totals' })
export class TotalsRecord implements Totals {
  /** The user. */
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
