import { ApiError } from '../api/api-error.js';
import { bodyOf, publicApi } from '../api/public-client.js';
import type { TokenPair } from '../api/types.js';

/** The part of a session that the page receives. The refresh token is in a cookie that scripts can't read. */
export type Tokens = Pick<TokenPair, 'accessToken' | 'expiresIn'>;

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** Whether a sign-in needs a second factor in addition to the password. */
export const isFactorRequired = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.body.code === 'FACTOR_REQUIRED';

/** @throws ApiError, NoResponse */
export const postSession = (body: Credentials): Promise<Tokens> =>
  bodyOf(publicApi.POST('/console/session', { body }));

/**
 * Refreshes the session; null if there is none. The request outlives its page, so that the cookie is replaced.
 *
 * @throws ApiError, NoResponse
 */
export async function refreshSession(): Promise<Tokens | null> {
  try {
    return await bodyOf(publicApi.POST('/console/session/refresh', { keepalive: true }));
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

/**
 * Moves a session into the cookie.
 *
 * @param refreshToken from the response that started the session
 * @throws ApiError, NoResponse
 */
export const moveSession = (refreshToken: string): Promise<Tokens> =>
  bodyOf(publicApi.POST('/console/session/refresh', { body: { refreshToken } }));

/** @throws ApiError, NoResponse */
export const deleteSession = (): Promise<unknown> => bodyOf(publicApi.DELETE('/console/session'));
