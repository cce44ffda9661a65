import { Types } from 'mongoose';
import type { Kind, StoredRecords } from '../../stored-records.js';
import { type ClientRecord, toClient, toClientRecord } from '../schemas/client.schema.js';
import type { DeploymentRecord } from '../schemas/deployment.schema.js';
import type { StoredIdempotencyRecord } from '../schemas/idempotency-record.schema.js';
import { toLicenseEvent } from '../schemas/license-event.schema.js';
import { type LicenseRecord, toLicense, toLicenseRecord } from '../schemas/license.schema.js';
import { type ProjectRecord, toProject, toProjectRecord } from '../schemas/project.schema.js';
import {
  type LoginAddressRecord,
  type SessionRecord,
  toSession,
  toSessionRecord,
} from '../schemas/session.schema.js';
import {
  type SigningKeysRecord,
  toSigningKeys,
  toSigningKeysRecord,
} from '../schemas/signing-keys.schema.js';
import type { TotalsRecord } from '../schemas/totals.schema.js';
import {
  type DeletedAccountRecord,
  toUser,
  toUserRecord,
  type UserRecord,
} from '../schemas/user.schema.js';

/** The document of each kind of record. */
interface Documents {
  deployment: DeploymentRecord;
  users: UserRecord;
  deletedAccounts: DeletedAccountRecord;
  sessions: SessionRecord;
  loginAddresses: LoginAddressRecord;
  signingKeys: SigningKeysRecord;
  clients: ClientRecord;
  projects: ProjectRecord;
  licenses: LicenseRecord;
  totals: TotalsRecord;
  idempotencyRecords: StoredIdempotencyRecord;
}

export interface Mapper<K extends Kind> {
  readonly toDocument: (record: StoredRecords[K]) => Documents[K];
  readonly toRecord: (document: Documents[K]) => StoredRecords[K];
}

/** How each kind of record is stored, and read back. */
export const MAPPERS: { readonly [K in Kind]: Mapper<K> } = {
  deployment: {
    toDocument: ({ _id, value }) => ({ _id: _id as DeploymentRecord['_id'], value }),
    toRecord: ({ _id, value }) => ({ _id, value }),
  },
  users: { toDocument: toUserRecord, toRecord: toUser },
  deletedAccounts: {
    toDocument: ({ _id, deletedAt }) => ({ _id: new Types.ObjectId(_id), deletedAt }),
    toRecord: ({ _id, deletedAt }) => ({ _id: _id.toHexString(), deletedAt }),
  },
  sessions: {
    toDocument: (session) => toSessionRecord(session, session),
    toRecord: (document) => ({
      ...toSession(document),
      familyHash: document.familyHash,
      tokenHash: document.tokenHash,
    }),
  },
  loginAddresses: {
    toDocument: ({ _id, user, usedAt }) => ({ _id, user: new Types.ObjectId(user), usedAt }),
    toRecord: ({ _id, user, usedAt }) => ({ _id, user: user.toHexString(), usedAt }),
  },
  signingKeys: { toDocument: toSigningKeysRecord, toRecord: toSigningKeys },
  clients: {
    toDocument: (client) => ({ ...toClientRecord(client), projectsCount: client.projectsCount }),
    toRecord: (document) => ({ ...toClient(document), projectsCount: document.projectsCount }),
  },
  projects: {
    toDocument: (project) => ({
      ...toProjectRecord(project),
      licensesCount: project.licensesCount,
    }),
    toRecord: (document) => ({ ...toProject(document), licensesCount: document.licensesCount }),
  },
  licenses: {
    toDocument: (license) => toLicenseRecord(license, ...license.events),
    toRecord: (document) => ({
      ...toLicense(document),
      events: (document.events ?? []).map((event) =>
        toLicenseEvent({ ...event, license: document._id }),
      ),
    }),
  },
  totals: {
    // In the one record that an account has beside its shards: nothing says which of them counted what.
    toDocument: ({ _id, ...counts }) => ({ _id: new Types.ObjectId(_id), ...counts }),
    toRecord: ({ _id, ...counts }) => ({ _id: (_id as Types.ObjectId).toHexString(), ...counts }),
  },
  idempotencyRecords: {
    toDocument: ({ owner, sequence, ...record }) => ({
      ...record,
      ...(owner !== null && { owner: new Types.ObjectId(owner) }),
      ...(sequence !== null && { sequence }),
    }),
    toRecord: ({ _id, owner, sequence, requestHash, result, expiresAt }) => ({
      _id,
      owner: owner?.toHexString() ?? null,
      sequence: sequence ?? null,
      requestHash,
      result,
      expiresAt,
    }),
  },
};
