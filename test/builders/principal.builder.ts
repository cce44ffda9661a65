import type { User } from '../../src/auth/accounts/user.js';
import type { UserPrincipal } from '../../src/auth/principal.js';
import { newObjectId } from '../../src/shared/ids/object-id.js';

/** A member in a session. */
export const aPrincipal = (
  { account: accountId, _id: id, name, role }: User,
  session = newObjectId(),
): UserPrincipal => ({ accountId, type: 'user', id, name, role, session });
