import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, Types } from 'mongoose';
import {
  type License,
  type Service,
  STORED_STATUSES,
  type StoredStatus,
} from '../../../licenses/license.js';
import type { LicenseEvent } from '../../../licenses/license-event.js';
import { toAccountId } from '../../../shared/ids/account-id.js';
import { OWN_EVENT, type OwnEventRecord, toOwnEventRecord } from './license-event.schema.js';
import { HAS_PRODUCT } from './project.schema.js';

@Schema({ collection: 'licenses' })
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
  product!: string | null;

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

  /** Its events; read only where events are listed. A license of an earlier version may have others in their collection. */
  @Prop({ type: [OWN_EVENT], default: undefined })
  events?: readonly OwnEventRecord[];

  @Prop({ required: true })
  createdAt!: Date;

  @Prop({ required: true })
  updatedAt!: Date;
}

/** The projection of every read of licenses that needs no events. */
export const WITHOUT_EVENTS = { events: 0 } as const;

export const LicenseSchema = SchemaFactory.createForClass(LicenseRecord);
// The lists, in either direction; those by createdAt of one client and one project serve the dashboard too.
LicenseSchema.index({ user: 1, createdAt: -1, _id: -1 });
LicenseSchema.index({ user: 1, status: 1, createdAt: -1, _id: -1 });
LicenseSchema.index({ client: 1, createdAt: -1, _id: -1 });
LicenseSchema.index({ project: 1, createdAt: -1, _id: -1 });
// Whether a project has an active license.
LicenseSchema.index({ project: 1, status: 1, expiresAt: 1 });
LicenseSchema.index({ user: 1, expiresAt: -1, _id: -1 });
LicenseSchema.index({ user: 1, status: 1, expiresAt: -1, _id: -1 });
LicenseSchema.index(
  { user: 1, product: 1, createdAt: -1, _id: -1 },
  { partialFilterExpression: HAS_PRODUCT },
);
LicenseSchema.index(
  { user: 1, product: 1, expiresAt: -1, _id: -1 },
  { partialFilterExpression: HAS_PRODUCT },
);
// The dashboard's activations of each day.
LicenseSchema.index({ user: 1, activatedAt: 1 });

/** The record of a license with its events, the oldest first. */
export function toLicenseRecord(
  license: License,
  ...events: readonly LicenseEvent[]
): LicenseRecord {
  return {
    ...license,
    _id: new Types.ObjectId(license._id),
    services: [...license.services],
    user: new Types.ObjectId(license.user),
    client: new Types.ObjectId(license.client),
    project: new Types.ObjectId(license.project),
    replaces: license.replaces === null ? null : new Types.ObjectId(license.replaces),
    events: events.map(toOwnEventRecord),
  };
}

export function toLicense(record: LicenseRecord): License {
  return {
    _id: record._id.toHexString(),
    keyHash: record.keyHash,
    sealedKey: record.sealedKey,
    duration: record.duration,
    issuedAt: record.issuedAt,
    expiresAt: record.expiresAt,
    termStart: record.termStart,
    termMonths: record.termMonths,
    services: record.services,
    status: record.status,
    user: toAccountId(record.user.toHexString()),
    client: record.client.toHexString(),
    project: record.project.toHexString(),
    // Licenses of earlier versions lack the field.
    product: record.product ?? null,
    machineId: record.machineId,
    activatedAt: record.activatedAt,
    revokedAt: record.revokedAt,
    revokedReason: record.revokedReason,
    replaces: record.replaces?.toHexString() ?? null,
    createdAt: record.createdAt,
    updatedAt: record.updatedAt,
  };
}
