import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import type { DeploymentItem } from '../../../shared/deployment/deployment.repository.js';
import { RECORD_OPTIONS } from './record-options.js';

@Schema({ ...RECORD_OPTIONS, collection: 'deployment' })
export class DeploymentRecord {
  /** The item: as the id, it is there once without an index of its own. */
  @Prop({ type: String, required: true })
  _id!: DeploymentItem;

  @Prop({ required: true })
  value!: string;
}

export const DeploymentSchema = SchemaFactory.createForClass(DeploymentRecord);
