import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, Types } from 'mongoose';
import {
  LICENSE_EVENT_TYPES,
  type LicenseEvent,
  type LicenseEventType,
} from '../../../licenses/license-event.js';
import { toAccountId } from '../../../shared/ids/account-id.js';

export const LICENSE_EVENTS_COLLECTION = 'license_events';

/** An event in the collection of earlier versions, from which events are moved to their licenses. */
@Schema({ collection: LICENSE_EVENTS_COLLECTION })
export class LicenseEventRecord {
  @Prop({ type: SchemaTypes.ObjectId, required: true })
  _id!: Types.ObjectId;

  @Prop({ type: SchemaTypes.ObjectId, required: true })
  license!: Types.ObjectId;

  @Prop({ type: String, required: true, enum: LICENSE_EVENT_TYPES })
  type!: LicenseEventType;

  @Prop({ required: true })
  at!: Date;

  @Prop({ type: SchemaTypes.ObjectId, default: null })
  actor!: Types.ObjectId | null;

  @Prop({ type: String, default: null })
  machineId!: string | null;

  @Prop({ type: String, default: null })
  reason!: string | null;

  @Prop({ required: true })
  count!: number;

  @Prop({ type: Date, default: null })
  termEndedAt!: Date | null;

  @Prop({ type: Date, default: null })
  certificateExpiresAt!: Date | null;
}

/** An event in the record of its license. */
export type OwnEventRecord = Omit<LicenseEventRecord, 'license'>;

/** The schema of {@link OwnEventRecord}. */
export const OWN_EVENT = {
  _id: SchemaTypes.ObjectId,
  type: { type: String },
  at: Date,
  actor: SchemaTypes.ObjectId,
  machineId: String,
  reason: String,
  count: Number,
  termEndedAt: Date,
  certificateExpiresAt: Date,
} as const;

/** The events that end a term. The index holds only these; most events are others. */
export const TELLS_OF_TERM_END = { termEndedAt: { $type: 'date' } } as const;

/** The events of certificates. The index holds only these. */
export const TELLS_OF_CERTIFICATE = { certificateExpiresAt: { $type: 'date' } } as const;

export const LicenseEventSchema = SchemaFactory.createForClass(LicenseEventRecord);
LicenseEventSchema.index({ license: 1, at: -1, _id: -1 });
LicenseEventSchema.index(
  { license: 1, termEndedAt: 1 },
  { partialFilterExpression: TELLS_OF_TERM_END },
);
LicenseEventSchema.index(
  { license: 1, certificateExpiresAt: -1 },
  { partialFilterExpression: TELLS_OF_CERTIFICATE },
);

export function toOwnEventRecord(event: LicenseEvent): OwnEventRecord {
  const { type, at, machineId, reason, count, termEndedAt, certificateExpiresAt } = event;
  return {
    _id: new Types.ObjectId(event._id),
    type,
    at,
    actor: event.actor === null ? null : new Types.ObjectId(event.actor),
    machineId,
    reason,
    count,
    termEndedAt,
    certificateExpiresAt,
  };
}

export function toLicenseEvent(record: LicenseEventRecord): LicenseEvent {
  return {
    ...record,
    _id: record._id.toHexString(),
    license: record.license.toHexString(),
    actor: record.actor ? toAccountId(record.actor.toHexString()) : null,
    // Events of earlier versions lack the field.
    certificateExpiresAt: record.certificateExpiresAt ?? null,
  };
}
