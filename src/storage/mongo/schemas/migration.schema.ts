import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';

// Not renamed: earlier versions reject a newer database by the unknown names in this collection. Without it they would
// start on that database and run their migrations again.
export const MIGRATIONS_COLLECTION = 'upgrades';

/** A migration that this database has had. */
@Schema({ collection: MIGRATIONS_COLLECTION })
export class MigrationRecord {
  /** The name of the migration. */
  @Prop({ type: String, required: true })
  _id!: string;

  /** Its {@link Migration.schema}; absent where a version before 0.3.0 recorded it. */
  @Prop({ type: Number })
  schema?: number;
}

export const MigrationSchema = SchemaFactory.createForClass(MigrationRecord);
