import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes } from 'mongoose';

/** Seconds from a window's end to its deletion: the server deletes by its own clock, which may be ahead. */
const KEPT = 3_600;

/** An attempt in progress. */
interface ReservationRecord {
  readonly id: string;
  /** When it stops counting, in case its instance has died. */
  readonly expiresAt: Date;
}

/** The hits of a key in its latest window. */
@Schema({ collection: 'rate_limit_windows' })
export class RateLimitWindowRecord {
  /** Keyed hash of the limit's name and the key. */
  @Prop({ type: String, required: true })
  _id!: string;

  @Prop({ required: true })
  hits!: number;

  @Prop({ type: [SchemaTypes.Mixed], default: undefined })
  reservations!: ReservationRecord[];

  /** Values that count once. */
  @Prop({ type: [Number], default: undefined })
  values!: number[];

  @Prop({ required: true })
  endsAt!: Date;
}

export const RateLimitWindowSchema = SchemaFactory.createForClass(RateLimitWindowRecord);
RateLimitWindowSchema.index({ endsAt: 1 }, { expireAfterSeconds: KEPT });
