import { NO_FACTORS } from '../src/auth/factors/factors.js';
import type { User } from '../src/auth/accounts/user.js';
import type { UserPrincipal } from '../src/auth/principal.js';
import type { Session } from '../src/auth/sessions/session.js';
import type { SigningKey, SigningKeys } from '../src/certificates/signing-keys/signing-keys.js';
import { type Client, withSearchForms } from '../src/clients/client.js';
import { type Event, type EventType, newEvent } from '../src/events/event.js';
import { termsOf } from '../src/licenses/license-terms.js';
import { issueLicense, type License } from '../src/licenses/license.js';
import { type Machine, nameFields, recordId } from '../src/machines/machine.js';
import type { Project } from '../src/projects/project.js';
import type { IdempotencyRecord } from '../src/shared/idempotency/idempotency-record.js';
import { newAccountId, newObjectId, newRecord } from '../src/shared/ids.js';
import { startOfDay } from '../src/shared/time/calendar.js';
import { NOT_STORED } from '../src/storage/collection.js';

const START = Date.UTC(2026, 0, 31, 10, 20, 30, 456);

/** A fixed time, `minutes` later. */
export const at = (minutes: number): Date => new Date(START + minutes * 60_000);

export function aClient(fields: Partial<Client> = {}): Client {
  const record = newRecord();
  return {
    ...record,
    ...withSearchForms({
      name: 'Société Générale & Söhne',
      email: `client-${record._id}@example.com`,
      ...fields,
    }),
    owner: newAccountId(),
    projectsCount: 0,
    createdAt: at(0),
    updatedAt: at(0),
    ...fields,
  };
}

/** A project of this client and owner, or of a client that is not stored. */
export function aProject(client: Client = aClient(), fields: Partial<Project> = {}): Project {
  return {
    ...newRecord(),
    name: 'Web shop',
    searchName: 'web shop',
    client: client._id,
    product: null,
    owner: client.owner,
    licensesCount: 0,
    createdAt: at(1),
    updatedAt: at(1),
    ...fields,
  };
}

/** A PENDING license of this project. */
export function aLicense(
  project: Pick<Project, '_id' | 'client' | 'product' | 'owner' | 'createdAt'>,
  fields: Partial<License> = {},
): License {
  const record = newRecord();
  const { owner: user, client, product } = project;
  const parents = { user, client, project: project._id, product };
  const key = { keyHash: `${record._id}-hash`, sealedKey: `sealed-${record._id}`, keyHint: '93KD' };
  const { createdAt } = project;
  const terms = termsOf({ duration: 6, services: ['Hosting', 'Domain'] }, null, createdAt);
  return {
    ...issueLicense({ ...record, ...terms, ...key, ...parents }, createdAt),
    ...fields,
  };
}

/** The fields that distinguish an ACTIVE license from a PENDING one: a term of six months. */
export function activeUntil(expiresAt: Date): Partial<License> {
  return { status: 'ACTIVE', activatedAt: at(2), expiresAt };
}

/** A machine that holds a seat until it is released, on a license that need not be stored. */
export const aMachine = (
  machineId: string,
  fields: Partial<Machine> = {},
  { seatsOf, user }: Pick<License, 'seatsOf' | 'user'> = aLicense(aProject()),
): Machine => ({
  _id: recordId(seatsOf!, machineId),
  version: NOT_STORED,
  license: seatsOf!,
  user,
  machineId,
  ...nameFields(null),
  createdAt: at(2),
  activatedAt: at(2),
  lastSeenAt: startOfDay(at(2)),
  leaseEndsAt: null,
  isCertified: false,
  certificateEndsAt: null,
  isReleased: false,
  ...fields,
});

/** An event of a license, two minutes after the start by default. */
export function anEvent(
  { _id, user: accountId }: Pick<License, '_id' | 'user'>,
  type: EventType,
  fields: Partial<Event> = {},
): Event {
  return { ...newEvent(type, { accountId, _id, name: '•••• 93KD' }, at(2)), ...fields };
}

export function aUser(fields: Partial<User> = {}): User {
  const record = newRecord();
  return {
    ...record,
    account: newAccountId(),
    role: 'owner',
    name: 'Ada Lovelace',
    email: `user-${record._id}@example.com`,
    passwordHash: '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$aGFzaGhhc2g',
    ...{ factors: NO_FACTORS, passkeyHandle: null, wrongCodes: null },
    createdAt: at(0),
    updatedAt: at(0),
    disabledAt: null,
    emailConfirmedAt: null,
    ...fields,
  };
}

/** A signed-in member. */
export const aPrincipal = (
  { account: accountId, _id: id, name, role }: User,
  session = newObjectId(),
): UserPrincipal => ({
  ...{ accountId, type: 'user', id, name, role, session },
  ...{ verifiedAt: at(0), factors: [], lacksFactor: false },
});

/** A session of an account from the start, for an hour. */
export function aSession(user: User, fields: Partial<Session> = {}): Session {
  const record = newRecord();
  return {
    ...record,
    user: user._id,
    accountId: user.account,
    createdAt: at(0),
    lastUsedAt: at(0),
    ...{ verifiedAt: at(0), totpSetup: null },
    address: '192.0.2.1',
    userAgent: null,
    expiresAt: at(60),
    familyHash: `family-${record._id}`,
    tokenHash: `token-${record._id}`,
    ...fields,
  };
}

/** A stored key pair. It cannot sign. */
export function aSigningKey(): SigningKey {
  const _id = newObjectId();
  return { kid: `kid-${_id}`, x: `x-${_id}`, sealedSeed: `sealed-${_id}` };
}

/** The first signing keys of an account. */
export function someSigningKeys(fields: Partial<SigningKeys> = {}): SigningKeys {
  const _id = fields._id ?? newAccountId();
  return {
    _id,
    version: NOT_STORED,
    issuer: _id,
    current: aSigningKey(),
    next: aSigningKey(),
    retired: [],
    rotations: 0,
    isExported: false,
    createdAt: at(0),
    updatedAt: at(0),
    ...fields,
  };
}

/** For a request of a separate account, valid for a day. */
export function anIdempotencyRecord(fields: Partial<IdempotencyRecord> = {}): IdempotencyRecord {
  return {
    _id: `record-${newObjectId()}`,
    owner: newAccountId(),
    requestHash: 'hash of the request',
    createdAt: at(0),
    expiresAt: at(24 * 60),
    ...fields,
  };
}
