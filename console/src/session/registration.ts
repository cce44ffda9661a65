import { queryOptions } from '@tanstack/react-query';
import { ApiError } from '../api/api-error.js';
import { bodyOf, publicApi } from '../api/public-client.js';
import type { Account } from '../api/types.js';
import { session } from './session.js';
import type { Credentials } from './session-requests.js';

/** Whether accounts can be created. */
export const registrationQuery = queryOptions({
  queryKey: ['registration'],
  queryFn: ({ signal }) => bodyOf(publicApi.GET('/auth/registration', { signal })),
});

type NewAccount = Credentials & Pick<Account, 'name'>;

/** Creates an account and logs in. */
export async function createAccount(account: NewAccount): Promise<void> {
  const refreshToken = await register(account);
  try {
    await session.logIn({ email: account.email, password: account.password });
  } catch (error) {
    throw refreshToken instanceof ApiError ? refreshToken : error;
  }
  if (!(refreshToken instanceof ApiError)) void endSessionOf(refreshToken);
}

/**
 * The refresh token of the registration; the error where the account exists already. That may be the caller's: the
 * response to an earlier attempt was lost, and the password is right.
 */
async function register(body: NewAccount): Promise<string | ApiError> {
  try {
    return (await bodyOf(publicApi.POST('/auth/register', { body }))).refreshToken;
  } catch (error) {
    if (error instanceof ApiError && error.body.code === 'EMAIL_ALREADY_REGISTERED') return error;
    throw error;
  }
}

/** A registration begins a session of its own, which the console does not use. */
const endSessionOf = (refreshToken: string) =>
  publicApi.POST('/auth/logout', { body: { refreshToken } }).catch(() => undefined);
