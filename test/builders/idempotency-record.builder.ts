import type { IdempotencyRecord } from '../../src/shared/idempotency/idempotency-record.js';
import { newAccountId } from '../../src/shared/ids/account-id.js';
import { newObjectId } from '../../src/shared/ids/object-id.js';
import { at } from './time.js';

/** A claim of its own, for a day. */
export function anIdempotencyRecord(fields: Partial<IdempotencyRecord> = {}): IdempotencyRecord {
  return {
    _id: `claim-${newObjectId()}`,
    owner: newAccountId(),
    requestHash: 'hash of the request',
    createdAt: at(0),
    expiresAt: at(24 * 60),
    ...fields,
  };
}
