import type { User } from '../../src/auth/accounts/user.js';
import type { Session } from '../../src/auth/sessions/session.js';
import { newObjectId } from '../../src/shared/ids/object-id.js';
import { NOT_STORED } from '../../src/storage/collection.js';
import { at } from './time.js';

/** A session of an account from the start, for an hour. */
export function aSession(user: User, fields: Partial<Session> = {}): Session {
  const _id = newObjectId();
  return {
    _id,
    version: NOT_STORED,
    user: user._id,
    accountId: user.account,
    startedAt: at(0),
    lastUsedAt: at(0),
    address: null,
    userAgent: null,
    expiresAt: at(60),
    familyHash: `family-${_id}`,
    tokenHash: `token-${_id}`,
    ...fields,
  };
}
