import type { User } from '../../src/auth/accounts/user.js';
import { newAccountId } from '../../src/shared/ids/account-id.js';
import { newRecord } from '../../src/shared/ids/object-id.js';
import { at } from './time.js';

export function aUser(fields: Partial<User> = {}): User {
  const record = newRecord();
  return {
    ...record,
    account: newAccountId(),
    role: 'owner',
    name: 'Ada Lovelace',
    email: `user-${record._id}@example.com`,
    passwordHash: '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$aGFzaGhhc2g',
    createdAt: at(0),
    updatedAt: at(0),
    disabledAt: null,
    ...fields,
  };
}
