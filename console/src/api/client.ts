import createClient from 'openapi-fetch';
import { session } from '../session/session.js';
import { SERVICE } from '../shared/deployment.js';
import { isSettled, SessionEnded } from './api-error.js';
import { fetchInTime } from './public-client.js';
import type { paths } from './schema.js';
import { askForConfirmation } from './step-up.js';
import type { ErrorBody } from './types.js';
import { nameOf, unsettledKeys } from './unsettled-keys.js';

const KEY = 'Idempotency-Key';

/** The API client with the session's access token. */
export const api = createClient<paths>({ baseUrl: SERVICE, fetch: fetchOnce });

/** The service streams an export for at most 10 minutes. */
const EXPORT_TIMEOUT = 600_000;

/** The API client for exports, which can take a long time. */
export const exportApi = createClient<paths>({
  baseUrl: SERVICE,
  fetch: (request) => fetchAs(session.account, request, EXPORT_TIMEOUT),
});

/** A retried write keeps its key until a complete response arrives. */
async function fetchOnce(request: Request): Promise<Response> {
  const { account } = session;
  const own = request.headers.get(KEY);
  if (own === null) return fetchConfirmed(account, request);
  const name = await nameOf(account, request);
  const key = unsettledKeys.keyOf(name, own);
  request.headers.set(KEY, key);
  const response = await fetchConfirmed(account, request);
  const body = await response.clone().text();
  const isOfService = response.status === 204 || isJson(body);
  if (isOfService && isSettled(response.status)) unsettledKeys.settle(name, own, key);
  return response;
}

/** Called when the account requires a second factor that the user lacks. */
export const factorSetup = { onRequired: (): void => undefined };

/**
 * A request that needs a recent confirmation waits for it and is then repeated. Without a confirmation, the
 * rejection stands.
 */
async function fetchConfirmed(account: string | null, request: Request): Promise<Response> {
  const response = await fetchAs(account, request.clone());
  if (response.status !== 403) return response;
  const { code, factors } = await errorOf(response);
  if (code === 'FACTOR_SETUP_REQUIRED') factorSetup.onRequired();
  if (code !== 'STEP_UP_REQUIRED') return response;
  return (await askForConfirmation(factors ?? [])) ? fetchAs(account, request) : response;
}

const errorOf = (response: Response): Promise<Partial<ErrorBody>> =>
  response
    .clone()
    .json()
    .catch(() => ({}));

/** Proxies and captive portals respond with HTML. */
function isJson(body: string): boolean {
  try {
    JSON.parse(body);
    return true;
  } catch {
    return false;
  }
}

/** After a 401, refreshes the session once and retries. A request never switches to another account. */
async function fetchAs(
  account: string | null,
  request: Request,
  timeout?: number,
): Promise<Response> {
  const tokenOfAccount = async (rejected?: string) => {
    const token = await session.accessToken(rejected);
    if (account !== null && account !== session.account) throw new SessionEnded();
    return token;
  };
  const token = await tokenOfAccount();
  const response = await fetchInTime(authorize(request.clone(), token), timeout);
  if (response.status !== 401) return response;
  return fetchInTime(authorize(request, await tokenOfAccount(token)), timeout);
}

function authorize(request: Request, token: string): Request {
  request.headers.set('Authorization', `Bearer ${token}`);
  return request;
}
