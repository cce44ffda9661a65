import type { User } from '../../src/auth/accounts/user.js';
import type { Session } from '../../src/auth/sessions/session.js';
import { newRecord } from '../../src/shared/ids/object-id.js';
import { at } from './time.js';

/** A session of an account from the start, for an hour. */
export function aSession(user: User, fields: Partial<Session> = {}): Session {
  const record = newRecord();
  return {
    ...record,
    user: user._id,
    accountId: user.account,
    startedAt: at(0),
    lastUsedAt: at(0),
    address: null,
    userAgent: null,
    expiresAt: at(60),
    familyHash: `family-${record._id}`,
    tokenHash: `token-${record._id}`,
    ...fields,
  };
}
