import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, type Types } from 'mongoose';
import type { Totals } from '../../../dashboard/dashboard.js';

const SHARDS = 16;

interface ShardId {
  readonly account: Types.ObjectId;
  readonly shard: number;
}

/** The account's id, or that of a shard. */
export type TotalsId = Types.ObjectId | ShardId;

/**
 * A shard of the numbers of an account's records, changed with each insert and deletion. The numbers are the sums of
 * all shards; one of them may be negative.
 */
@Schema({ collection: 'totals' })
export class TotalsRecord implements Totals {
  @Prop({ type: SchemaTypes.Mixed, required: true })
  _id!: TotalsId;

  @Prop({ required: true })
  clientsCount!: number;

  @Prop({ required: true })
  projectsCount!: number;

  @Prop({ required: true })
  licensesCount!: number;
}

export const TotalsSchema = SchemaFactory.createForClass(TotalsRecord);

/** The id of the shard that counts what an account creates below a client. */
export const shardOf = (account: Types.ObjectId, client: Types.ObjectId): ShardId => ({
  account,
  shard: client.id.at(-1)! % SHARDS,
});

/** The ids of all shards of an account's totals; not all of them exist. */
export const totalsIdsOf = (account: Types.ObjectId): TotalsId[] => [
  account,
  ...Array.from({ length: SHARDS }, (_, shard) => ({ account, shard })),
];
