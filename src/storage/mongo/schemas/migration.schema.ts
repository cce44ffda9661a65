import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';

// Still named as by earlier versions: they look here for migrations that they do not know, and would take a database
// without this collection for one of their own and migrate it again.
export const MIGRATIONS_COLLECTION = 'upgrades';

/** A migration that this database has had. */
@Schema({ collection: MIGRATIONS_COLLECTION })
export class MigrationRecord {
  /** The name of the migration. */
  @Prop({ type: String, required: true })
  _id!: string;
}

export const MigrationSchema = SchemaFactory.createForClass(MigrationRecord);
