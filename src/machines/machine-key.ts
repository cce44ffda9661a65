import type { AccountId } from '../shared/ids.js';
import { collection, type RecordOf, field } from '../storage/collection.js';

const FIELDS = {
  /** The id of a project, or of a plan whose trials it hashes. */
  _id: field.id(),
  accountId: field.id<AccountId>(),
  /** 256 bits, sealed to the id. */
  sealedKey: field.text(),
};

/**
 * The key for hashing the machines of a project whose account was created in another deployment.
 * Fingerprints are not stored, so machines cannot be hashed again. Read when the service starts.
 */
export type MachineKey = RecordOf<typeof FIELDS>;

export const MACHINE_KEYS = collection<MachineKey>('machine_keys', {
  fields: FIELDS,
  indexes: [['accountId', '_id']],
  account: 'accountId',
});

/** The context that a machine key is sealed to. */
export const contextOfMachineKey = (_id: string): string => `machine-key ${_id}`;
