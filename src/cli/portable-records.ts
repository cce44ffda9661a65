import { type User, USERS } from '../auth/accounts/user.js';
import { secretContext } from '../auth/factors/factor-checks.service.js';
import type { Factors } from '../auth/factors/factors.js';
import { BINNED } from '../bin/binned.js';
import { KeyPairs } from '../certificates/signing-keys/key-pairs.service.js';
import { SIGNING_KEYS, type SigningKey } from '../certificates/signing-keys/signing-keys.js';
import { LicenseKeyService } from '../licenses/license-key.service.js';
import { type License, LICENSES, ownSeats } from '../licenses/license.js';
import { contextOfMachineKey, MACHINE_KEYS } from '../machines/machine-key.js';
import { type Machine, MACHINES, recordId } from '../machines/machine.js';
import { DataKeys } from '../shared/sealing/data-keys.js';
import { open, seal } from '../shared/sealing/sealing.js';
import type { Stored } from '../storage/collection.js';
import { sealedSecret, openSecret } from '../webhooks/secrets.js';
import { type Webhook, WEBHOOKS } from '../webhooks/webhook.js';
import type { Services } from './with-store.js';

type AnyRecord = Stored & Readonly<Record<string, unknown>>;

/** The ids of licenses' seat groups in this deployment, by their old ids. */
export type SeatGroups = Map<string, string>;

/**
 * A record without the fields that only its deployment can read. Sealed fields are in plain text and will
 * be sealed again in the next deployment.
 */
export function toPortable(services: Services, collection: string, record: AnyRecord): AnyRecord {
  const change = <R>(fields: (one: R) => object) =>
    ({ ...record, ...fields(record as unknown as R) }) as AnyRecord;
  switch (collection) {
    case LICENSES.name:
      return change<License>((one) => ({
        sealedKey: services.get(LicenseKeyService).reveal(one),
        importDigest: null,
      }));
    case BINNED.name:
      if (record.kind !== 'license') return record;
      return change(() => ({
        record: toPortable(services, LICENSES.name, record.record as AnyRecord),
      }));
    case WEBHOOKS.name:
      return change<Webhook>(({ _id, secrets }) => ({
        secrets: secrets.map((secret) => ({
          ...secret,
          sealed: openSecret(services.get(DataKeys).sealing, _id, secret),
        })),
      }));
    case USERS.name:
      return change<User>((user) => ({
        factors: mapSecret(user, (sealed) =>
          open(services.get(DataKeys).sealing, sealed, secretContext(user)).toString(),
        ),
      }));
    case SIGNING_KEYS.name:
      return mapKeys(record, (issuer, key) =>
        services.get(KeyPairs).open(issuer, key).toString('base64url'),
      );
    default:
      return record;
  }
}

/** A portable record in the form that this deployment stores. */
export function fromPortable(
  services: Services,
  collection: string,
  record: AnyRecord,
  groups: SeatGroups,
): AnyRecord {
  const { sealing } = services.get(DataKeys);
  const change = <R>(fields: (one: R) => object) =>
    ({ ...record, ...fields(record as unknown as R) }) as AnyRecord;
  const groupOf = (group: string | null) => (group === null ? null : (groups.get(group) ?? group));
  switch (collection) {
    case LICENSES.name:
      return change<License>(({ _id, sealedKey: key, seatsOf }) => ({
        ...services.get(LicenseKeyService).store(key, _id),
        seatsOf: groupOf(seatsOf),
      }));
    case BINNED.name:
      if (record.kind !== 'license') return record;
      return change(() => ({
        record: fromPortable(services, LICENSES.name, record.record as AnyRecord, groups),
      }));
    case MACHINES.name:
      return change<Machine>(({ license, machineId }) => ({
        _id: recordId(groupOf(license)!, machineId),
        license: groupOf(license),
      }));
    case WEBHOOKS.name:
      return change<Webhook>(({ _id, secrets }) => ({
        secrets: secrets.map((secret) => ({
          ...secret,
          sealed: sealedSecret(sealing, _id, secret.sealed).sealed,
        })),
      }));
    case USERS.name:
      return change<User>((user) => ({
        factors: mapSecret(user, (secret) =>
          seal(sealing, Buffer.from(secret), secretContext(user)),
        ),
      }));
    case SIGNING_KEYS.name:
      return mapKeys(record, (issuer, { x, sealedSeed }) => {
        const seed = Buffer.from(sealedSeed, 'base64url');
        return services.get(KeyPairs).seal(issuer, x, seed).sealedSeed;
      });
    case MACHINE_KEYS.name: {
      const plain = Buffer.from(String(record.sealedKey), 'base64url');
      return { ...record, sealedKey: seal(sealing, plain, contextOfMachineKey(record._id)) };
    }
    default:
      return record;
  }
}

/** Records the seat group of a license, even if the license is in the bin. */
export function noteSeats(
  services: Services,
  collection: string,
  record: AnyRecord,
  groups: SeatGroups,
): void {
  if (collection === BINNED.name && record.kind === 'license') {
    noteSeats(services, LICENSES.name, record.record as AnyRecord, groups);
  }
  if (collection !== LICENSES.name) return;
  const { _id, keyHash, sealedKey } = record as unknown as License;
  const stored = services.get(LicenseKeyService).store(sealedKey, _id);
  groups.set(ownSeats(keyHash), ownSeats(stored.keyHash));
}

/**
 * A login's factors with the secret of its authenticator app, but without recovery codes, which only their
 * own deployment can check.
 */
const mapSecret = ({ factors }: User, secretOf: (secret: string) => string): Factors => {
  const { totp, passkeys } = factors;
  const moved = totp && { ...totp, sealedSecret: secretOf(totp.sealedSecret) };
  return { totp: moved, passkeys, recoveryCodes: [] };
};

const mapKeys = (record: AnyRecord, seedOf: (issuer: string, key: SigningKey) => string) => {
  const { issuer, current, next } = record as unknown as Record<'current' | 'next', SigningKey> & {
    issuer: string;
  };
  const mapped = (key: SigningKey) => ({ ...key, sealedSeed: seedOf(issuer, key) });
  return { ...record, current: mapped(current), next: mapped(next) };
};
