import { randomUUID } from 'node:crypto';
import createClient, { type Client } from 'openapi-fetch';
import type { components, paths } from './api.js';

type Api = Client<paths>;
type License = components['schemas']['LicenseDto'];

const { SERVICE_URL = 'http://127.0.0.1:3000', EMAIL, PASSWORD, CODE, DAYS = '30' } = process.env;

/** The data of a response, or an error that says what the service said. */
function expect<T>({
  data,
  error,
  response,
}: {
  data?: T;
  error?: unknown;
  response: Response;
}): T {
  if (data !== undefined) return data;
  throw new Error(`${response.url} responded with ${response.status}: ${JSON.stringify(error)}`);
}

/** A write that may be retried: even if a response was lost, it runs once. */
const once = () => ({ 'Idempotency-Key': randomUUID() });

/** Signs in, or registers if the account does not exist, and sends the token from then on. */
async function signIn(api: Api, email: string, password: string): Promise<void> {
  const login = await api.POST('/auth/login', { body: { email, password } });
  const session =
    login.response.status === 401
      ? await api.POST('/auth/register', { body: { name: 'Admin', email, password } })
      : login.error?.code === 'FACTOR_REQUIRED'
        ? await sendCode(api, String(login.error.challenge))
        : login;
  const { accessToken } = expect<{ accessToken: string }>(session);
  api.use({
    onRequest: ({ request }) => request.headers.set('Authorization', `Bearer ${accessToken}`),
  });
}

/** The second step of signing in, if the account has a second factor. */
function sendCode(api: Api, challenge: string) {
  if (!CODE) throw new Error('Set CODE to the code that your authenticator app shows');
  return api.POST('/auth/login/factor', { body: { challenge, code: CODE } });
}

/** A client with a project and its two licenses; the first one is in use on a customer's machine. */
async function deliverProject(api: Api): Promise<[inUse: License, spare: License]> {
  const { client } = expect(
    await api.POST('/clients', {
      params: { header: once() },
      body: { name: 'Acme Ltd', email: `office-${randomUUID()}@acme.example` },
    }),
  );
  const { project, license } = expect(
    await api.POST('/projects/createProject', {
      params: { header: once() },
      body: { clientId: client._id, projectName: 'Web shop', duration: 1, services: ['Hosting'] },
    }),
  );
  const { license: spare } = expect(
    await api.POST('/projects/{id}/licenses', {
      params: { path: { id: project._id }, header: once() },
      body: { duration: 12, services: ['Hosting', 'Domain'] },
    }),
  );
  const machine = { key: license.key, fingerprint: `machine-${randomUUID()}` };
  expect(await api.POST('/validate/activate', { body: machine }));
  return [license, spare];
}

/** The id of the plan with this name, which is created if it does not exist. */
async function planNamed(
  api: Api,
  name: string,
  terms: Omit<components['schemas']['CreatePlanDto'], 'name'>,
): Promise<string> {
  const { data } = expect(await api.GET('/plans', { params: { query: { limit: 100 } } }));
  const found = data.find((plan) => plan.name === name);
  if (found) return found._id;
  const params = { header: once() };
  return expect(await api.POST('/plans', { params, body: { name, ...terms } })).plan._id;
}

/** A trial of two weeks, which each machine uses once, and a license with five floating seats for a team. */
async function sellByPlans(api: Api, project: string): Promise<[trial: License, team: License]> {
  const services: ['Hosting'] = ['Hosting'];
  const trial = await planNamed(api, 'Trial', { days: 14, services, oncePerMachine: true });
  const floating = { maxMachines: 5, leaseSeconds: 3600, release: 'self' } as const;
  const entitlements = ['export.pdf', 'team'];
  const team = await planNamed(api, 'Team', { duration: 12, services, ...floating, entitlements });
  const issue = async (plan: string, externalId?: string) => {
    const params = { path: { id: project }, header: once() };
    const body = { plan, ...(externalId !== undefined && { externalId }) };
    return expect(await api.POST('/projects/{id}/licenses', { params, body })).license;
  };
  return [await issue(trial), await issue(team, `order-${randomUUID()}`)];
}

/** Every active license that expires within a number of days, soonest first, page by page. */
async function* expiringWithin(api: Api, days: number): AsyncGenerator<License> {
  const expiresBefore = new Date(Date.now() + days * 24 * 60 * 60 * 1000).toISOString();
  const query = {
    ...{ status: ['ACTIVE' as const], expiresBefore },
    ...({ sort: 'expiresAt', order: 'asc' } as const),
  };
  let cursor: string | null = null;
  do {
    const params = { query: { ...query, ...(cursor !== null && { cursor }) } };
    const page: components['schemas']['LicenseListResponse'] = expect(
      await api.GET('/licenses', { params }),
    );
    yield* page.data;
    cursor = page.nextCursor;
  } while (cursor !== null);
}

if (!EMAIL || !PASSWORD)
  throw new Error('Set EMAIL and PASSWORD, and SERVICE_URL if it is elsewhere');
const api = createClient<paths>({ baseUrl: SERVICE_URL });
await signIn(api, EMAIL, PASSWORD);
const [inUse, spare] = await deliverProject(api);
console.log(`created ${inUse.key} and ${spare.key}`);

const [trial, team] = await sellByPlans(api, inUse.project);
console.log(`sold a trial of ${trial.days} days: ${trial.key}`);
console.log(`sold ${team.externalId} for ${team.maxMachines} machines at a time: ${team.key}`);

for await (const { _id, key, expiresAt } of expiringWithin(api, Number(DAYS))) {
  const params = { path: { id: _id }, header: once() };
  const { license } = expect(
    await api.POST('/licenses/{id}/renew', { params, body: { duration: 6 } }),
  );
  console.log(`renewed ${key}: expires at ${license.expiresAt} instead of ${expiresAt}`);
}

const params = { path: { id: spare._id }, header: once() };
const { license: revoked } = expect(
  await api.POST('/licenses/{id}/revoke', { params, body: { reason: 'Ordered by mistake' } }),
);
console.log(`revoked ${revoked.key}: ${revoked.status}, ${revoked.revokedReason}`);
