import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, Types } from 'mongoose';
import { type Service, STORED_STATUSES, type StoredStatus } from '../../../licenses/license.js';
import { RECORD_OPTIONS } from './record-options.js';

@Schema({ ...RECORD_OPTIONS, collection: 'licenses' })
export class LicenseRecord {
  @Prop({ type: SchemaTypes.ObjectId, required: true })
  _id!: Types.ObjectId;

  @Prop({ required: true, unique: true })
  keyHash!: string;

  @Prop({ required: true })
  sealedKey!: string;

  @Prop({ required: true })
  duration!: number;

  @Prop({ required: true })
  issuedAt!: Date;

  @Prop({ required: true })
  expiresAt!: Date;

  @Prop({ required: true })
  termStart!: Date;

  @Prop({ required: true })
  termMonths!: number;

  @Prop({ type: [String], required: true })
  services!: Service[];

  @Prop({ type: String, required: true, enum: STORED_STATUSES })
  status!: StoredStatus;

  @Prop({ type: SchemaTypes.ObjectId, required: true })
  user!: Types.ObjectId;

  @Prop({ type: SchemaTypes.ObjectId, required: true })
  client!: Types.ObjectId;

  @Prop({ type: SchemaTypes.ObjectId, required: true })
  project!: Types.ObjectId;

  @Prop({ type: String, default: null })
  machineId!: string | null;

  @Prop({ type: Date, default: null })
  activatedAt!: Date | null;

  @Prop({ type: Date, default: null })
  revokedAt!: Date | null;

  @Prop({ type: String, default: null })
  revokedReason!: string | null;

  @Prop({ type: SchemaTypes.ObjectId, default: null })
  replaces!: Types.ObjectId | null;

  /** Changed with each event of the license, so that deleting it meanwhile is a conflict. */
  @Prop({ required: true })
  eventsCount!: number;

  @Prop({ required: true })
  createdAt!: Date;

  @Prop({ required: true })
  updatedAt!: Date;
}

export const LicenseSchema = SchemaFactory.createForClass(LicenseRecord);
// The lists, in either direction; those by createdAt of one client and one project serve the dashboard too.
LicenseSchema.index({ user: 1, createdAt: -1, _id: -1 });
LicenseSchema.index({ user: 1, status: 1, createdAt: -1, _id: -1 });
LicenseSchema.index({ client: 1, createdAt: -1, _id: -1 });
LicenseSchema.index({ project: 1, createdAt: -1, _id: -1 });
LicenseSchema.index({ user: 1, expiresAt: -1, _id: -1 });
LicenseSchema.index({ user: 1, status: 1, expiresAt: -1, _id: -1 });
// The dashboard's activations of each day.
LicenseSchema.index({ user: 1, activatedAt: 1 });
