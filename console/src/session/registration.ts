import { queryOptions } from '@tanstack/react-query';
import { ApiError } from '../api/api-error.js';
import { bodyOf, publicApi } from '../api/public-client.js';
import type { Account, ErrorBody } from '../api/types.js';
import { session } from './session.js';
import { type Credentials, moveSession } from './session-requests.js';

/** Whether registration is open. */
export const registrationQuery = queryOptions({
  queryKey: ['registration'],
  queryFn: ({ signal }) => bodyOf(publicApi.GET('/auth/registration', { signal })),
});

type NewAccount = Credentials & Pick<Account, 'name'>;

/** Rejections that an earlier attempt may have caused by creating the account before its response was lost. */
const CAUSED_BY_ATTEMPT = ['EMAIL_ALREADY_REGISTERED', 'REGISTRATION_CLOSED'] as const;

/** Creates an account and signs in. */
export async function createAccount({ name, ...credentials }: NewAccount): Promise<void> {
  try {
    const body = { name, ...credentials };
    const { refreshToken } = await bodyOf(publicApi.POST('/auth/register', { body }));
    await startFirst(refreshToken, credentials);
  } catch (rejection) {
    if (!hasCode(rejection, CAUSED_BY_ATTEMPT)) throw rejection;
    // Signing in shows whether the account is the user's own.
    await session.logIn(credentials).catch((error: unknown) => {
      throw hasCode(error, ['INVALID_CREDENTIALS']) ? rejection : error;
    });
  }
}

/** Continues the session that a registration or an invitation started. */
export async function startFirst(refreshToken: string, credentials: Credentials): Promise<void> {
  try {
    await session.start(() => moveSession(refreshToken));
  } catch (error) {
    if (!hasCode(error, ['INVALID_REFRESH_TOKEN'])) throw error;
    // An earlier attempt spent the token, and its response was lost.
    await session.logIn(credentials);
  }
}

const hasCode = (error: unknown, codes: readonly ErrorBody['code'][]): error is ApiError =>
  error instanceof ApiError && error.body.code !== undefined && codes.includes(error.body.code);
