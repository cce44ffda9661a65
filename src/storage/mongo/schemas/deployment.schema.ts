import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import type { DeploymentItem } from '../../../shared/sealing/deployment.repository.js';

/** The item that is changed with the first account, so that two first accounts conflict. */
export const FIRST_ACCOUNT = 'first-account';

@Schema({ collection: 'deployment' })
export class DeploymentRecord {
  /** The item: unique as the id, without another index. */
  @Prop({ type: String, required: true })
  _id!: DeploymentItem | typeof FIRST_ACCOUNT;

  @Prop({ required: true })
  value!: string;
}

export const DeploymentSchema = SchemaFactory.createForClass(DeploymentRecord);
