import type { Type } from '@nestjs/common';
import type { Connection, Model, Schema } from 'mongoose';
import { ClientRecord, ClientSchema } from './client.schema.js';
import { DeploymentRecord, DeploymentSchema } from './deployment.schema.js';
import { IdempotencyRecordSchema, StoredIdempotencyRecord } from './idempotency-record.schema.js';
import { LicenseEventRecord, LicenseEventSchema } from './license-event.schema.js';
import { LicenseRecord, LicenseSchema } from './license.schema.js';
import { MigrationRecord, MigrationSchema } from './migration.schema.js';
import { ProjectRecord, ProjectSchema } from './project.schema.js';
import {
  LoginAddressRecord,
  LoginAddressSchema,
  SessionRecord,
  SessionSchema,
} from './session.schema.js';
import { RateLimitWindowRecord, RateLimitWindowSchema } from './rate-limit-window.schema.js';
import { SigningKeysRecord, SigningKeysSchema } from './signing-keys.schema.js';
import { TotalsRecord, TotalsSchema } from './totals.schema.js';
import {
  DeletedAccountRecord,
  DeletedAccountSchema,
  UserRecord,
  UserSchema,
} from './user.schema.js';

/** The models of this engine, one a collection. */
export type Models = ReturnType<typeof modelsOf>;

export function modelsOf(connection: Connection) {
  return {
    deployment: model(connection, DeploymentRecord, DeploymentSchema),
    migrations: model(connection, MigrationRecord, MigrationSchema),
    users: model(connection, UserRecord, UserSchema),
    sessions: model(connection, SessionRecord, SessionSchema),
    loginAddresses: model(connection, LoginAddressRecord, LoginAddressSchema),
    deletedAccounts: model(connection, DeletedAccountRecord, DeletedAccountSchema),
    totals: model(connection, TotalsRecord, TotalsSchema),
    clients: model(connection, ClientRecord, ClientSchema),
    projects: model(connection, ProjectRecord, ProjectSchema),
    licenses: model(connection, LicenseRecord, LicenseSchema),
    licenseEvents: model(connection, LicenseEventRecord, LicenseEventSchema),
    signingKeys: model(connection, SigningKeysRecord, SigningKeysSchema),
    idempotencyRecords: model(connection, StoredIdempotencyRecord, IdempotencyRecordSchema),
    rateLimitWindows: model(connection, RateLimitWindowRecord, RateLimitWindowSchema),
  };
}

export async function createCollections(models: Models): Promise<void> {
  await Promise.all(Object.values(models).map((model) => model.createCollection()));
}

export async function createIndexes(models: Models): Promise<void> {
  await Promise.all(Object.values(models).map((model) => model.createIndexes()));
}

/** A field that its schema does not know is a bug of this program: it fails. */
function model<T>(connection: Connection, record: Type<T>, schema: Schema<T>): Model<T> {
  schema.set('strict', 'throw').set('strictQuery', 'throw').set('versionKey', false);
  return connection.model<T>(record.name, schema);
}
