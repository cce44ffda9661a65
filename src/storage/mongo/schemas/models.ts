import type { ModelDefinition } from '@nestjs/mongoose';
import { ClientRecord, ClientSchema } from './client.schema.js';
import { DeletedAccountRecord, DeletedAccountSchema } from './deleted-account.schema.js';
import { DeploymentRecord, DeploymentSchema } from './deployment.schema.js';
import { StoredIdempotencyRecord, IdempotencyRecordSchema } from './idempotency-record.schema.js';
import { LicenseEventRecord, LicenseEventSchema } from './license-event.schema.js';
import { LicenseRecord, LicenseSchema } from './license.schema.js';
import { LoginAddressRecord, LoginAddressSchema } from './login-address.schema.js';
import { ProjectRecord, ProjectSchema } from './project.schema.js';
import { SessionRecord, SessionSchema } from './session.schema.js';
import { TotalsRecord, TotalsSchema } from './totals.schema.js';
import { MigrationRecord, MigrationSchema } from './migration.schema.js';
import { UserRecord, UserSchema } from './user.schema.js';

/** Every model of this engine, one a collection. */
export const MODELS: ModelDefinition[] = [
  { name: DeploymentRecord.name, schema: DeploymentSchema },
  { name: MigrationRecord.name, schema: MigrationSchema },
  { name: UserRecord.name, schema: UserSchema },
  { name: SessionRecord.name, schema: SessionSchema },
  { name: LoginAddressRecord.name, schema: LoginAddressSchema },
  { name: DeletedAccountRecord.name, schema: DeletedAccountSchema },
  { name: TotalsRecord.name, schema: TotalsSchema },
  { name: ClientRecord.name, schema: ClientSchema },
  { name: ProjectRecord.name, schema: ProjectSchema },
  { name: LicenseRecord.name, schema: LicenseSchema },
  { name: LicenseEventRecord.name, schema: LicenseEventSchema },
  { name: StoredIdempotencyRecord.name, schema: IdempotencyRecordSchema },
];
