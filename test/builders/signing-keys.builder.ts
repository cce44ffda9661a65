import type { SigningKey, SigningKeys } from '../../src/certificates/signing-keys/signing-keys.js';
import { newAccountId } from '../../src/shared/ids/account-id.js';
import { newObjectId } from '../../src/shared/ids/object-id.js';
import { NOT_STORED } from '../../src/storage/collection.js';
import { at } from './time.js';

/** A key pair as it is stored. It signs nothing. */
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
    createdAt: at(0),
    updatedAt: at(0),
    ...fields,
  };
}
