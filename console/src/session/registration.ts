import { queryOptions } from '@tanstack/react-query';
import { ApiError } from '../api/api-error.js';
import { bodyOf, publicApi } from '../api/public-client.js';
import type { Account, ErrorBody } from '../api/types.js';
import { session } from './session.js';
import type { Credentials } from './session-requests.js';

/** Whether registration is open. */
export const registrationQuery = queryOptions({
  queryKey: ['registration'],
  queryFn: ({ signal }) => bodyOf(publicApi.GET('/auth/registration', { signal })),
});

type NewAccount = Credentials & Pick<Account, 'name'>;

/** Creates an account and signs in. */
export async function createAccount(account: NewAccount): Promise<void> {
  const refreshToken = await register(account);
  try {
    await session.logIn({ email: account.email, password: account.password });
  } catch (error) {
    const isRejected = hasCode(error, ['INVALID_CREDENTIALS']);
    throw refreshToken instanceof ApiError && isRejected ? refreshToken : error;
  }
  if (!(refreshToken instanceof ApiError)) void endSessionOf(refreshToken);
}

/** Rejections that an earlier attempt may have caused by creating the account before its response was lost. */
const CAUSED_BY_ATTEMPT = ['EMAIL_ALREADY_REGISTERED', 'REGISTRATION_CLOSED'] as const;

/**
 * The refresh token, or the error if the account may already exist. Signing in then shows which.
 */
async function register(body: NewAccount): Promise<string | ApiError> {
  try {
    return (await bodyOf(publicApi.POST('/auth/register', { body }))).refreshToken;
  } catch (error) {
    if (hasCode(error, CAUSED_BY_ATTEMPT)) return error;
    throw error;
  }
}

const hasCode = (error: unknown, codes: readonly ErrorBody['code'][]): error is ApiError =>
  error instanceof ApiError && error.body.code !== undefined && codes.includes(error.body.code);

/** Ends the session that a registration or an invitation starts. The console does not use it. */
export const endSessionOf = (refreshToken: string) =>
  publicApi.POST('/auth/logout', { body: { refreshToken } }).catch(() => undefined);
