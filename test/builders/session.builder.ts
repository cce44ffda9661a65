import type { LoginHashes, RefreshTokenHashes, Session } from '../../src/auth/sessions/session.js';
import type { User } from '../../src/auth/accounts/user.js';
import { newObjectId } from '../../src/shared/ids/object-id.js';
import { at } from './time.js';

/** A session of an account from the start, for an hour. */
export const aSession = (user: User, fields: Partial<Session> = {}): Session => ({
  _id: newObjectId(),
  user: user._id,
  startedAt: at(0),
  expiresAt: at(60),
  ...fields,
});

/** A token of a new family, or one more of a family. */
export const aToken = (of?: RefreshTokenHashes): RefreshTokenHashes => ({
  familyHash: of?.familyHash ?? `family-${newObjectId()}`,
  tokenHash: `token-${newObjectId()}`,
});

/** A login with the right password from an address of its own. */
export const aLogin = (user: User, fields: Partial<LoginHashes> = {}): LoginHashes => ({
  ...aToken(),
  passwordHash: user.passwordHash,
  addressHash: `address-${newObjectId()}`,
  ...fields,
});
