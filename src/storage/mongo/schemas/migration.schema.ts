import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { RECORD_OPTIONS } from './record-options.js';

/** An upgrade of this database that was done. */
@Schema({ ...RECORD_OPTIONS, collection: 'upgrades' })
export class MigrationRecord {
  /** The upgrade's name. */
  @Prop({ type: String, required: true })
  _id!: string;
}

export const MigrationSchema = SchemaFactory.createForClass(MigrationRecord);
