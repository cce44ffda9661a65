import { DomainError } from '../../shared/errors/domain-error.js';
import { type Change, increment, touch } from '../../storage/changes.js';
import type { Decide } from '../../storage/decisions.js';
import { USERS } from '../accounts/user.js';
import { API_KEYS } from '../api-keys/api-key.js';
import type { Principal } from '../principal.js';
import { SESSIONS } from '../sessions/session.js';

/**
 * Wraps decisions whose effect outlives the caller's access, such as a new API key. Commits only if the
 * caller's session or API key still exists and the member's role is unchanged.
 *
 * @throws DomainError UNAUTHORIZED otherwise; the next request gets the reason
 */
export const withLiveAccess =
  <T extends object | void>(caller: Principal, decide: Decide<T>): Decide<T> =>
  async (failed) => {
    const conditions = conditionsOf(caller);
    const isEnded = conditions.some(({ collection }) => collection === failed?.collection);
    if (isEnded && failed?.kind === 'increment') throw new DomainError('UNAUTHORIZED');
    const { result, changes } = await decide(failed);
    return { result, changes: changes.length > 0 ? [...changes, ...conditions] : [] };
  };

const conditionsOf = (caller: Principal): Change[] =>
  caller.type === 'api_key'
    ? [touch(API_KEYS, caller.id)]
    : [
        touch(SESSIONS, caller.session),
        increment(USERS, caller.id, {}, { where: { role: caller.role } }),
      ];
