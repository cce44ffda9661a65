import { randomUUID } from 'node:crypto';
import {
  activate,
  createClient,
  createLicense,
  createProject,
  type CreatedLicense,
  type Developer,
  LAPTOP,
  type LoggedInDeveloper,
  logIn,
  registerDeveloper,
  validationOf,
} from '../e2e/developer.js';
import { issueCertificate } from '../e2e/certificates/issue-certificate.js';
import { WRITES } from '../e2e/idempotency/writes.js';
import { idsOf, readPages } from '../e2e/pages.js';
import type { HttpCaller, HttpResponse } from '../http-caller.js';

/** A write with an idempotency key, and its first response. */
interface KeyedWrite {
  readonly path: string;
  readonly body: object;
  readonly headers: Record<string, string>;
  readonly response: HttpResponse;
}

/** What a deployment under traffic has promised to its callers. */
export interface Traffic {
  readonly developers: readonly LoggedInDeveloper[];
  /** Of the first developer. */
  readonly writes: readonly KeyedWrite[];
  /** The keys of licenses of every state, on their machines and on others. */
  readonly checks: readonly { readonly key: string; readonly fingerprint?: string }[];
  /** An active license of the first developer, on the laptop. */
  readonly active: CreatedLicense;
  /** The license that is made to be expired by hand. */
  readonly aged: string;
}

/** Makes accounts, sessions, clients, projects and licenses of every state, each by the API. */
export async function makeTraffic(service: HttpCaller): Promise<Traffic> {
  const [ada, eve] = [await registerDeveloper(service), await registerDeveloper(service)];
  const again = await logIn(service, ada);
  const writes: KeyedWrite[] = [];
  for (const write of Object.keys(WRITES).filter((name) => name !== 'changePassword')) {
    writes.push(await makeKeyedWrite(service, ada, write));
  }
  const shop = await createClient(service, ada, { name: 'Straße & Söhne' });
  const { license: pending } = await createProject(service, ada, shop._id, { product: 'shop' });
  const [active, own, revoked, renewed, reissued, certified, aged] = [
    await createLicense(service, ada),
    await createLicense(service, ada),
    await createLicense(service, ada),
    await createLicense(service, ada),
    await createLicense(service, ada),
    await createLicense(service, eve),
    await createLicense(service, eve),
  ];
  await activate(service, own);
  for (const license of [active, revoked, renewed, reissued, aged]) {
    await activate(service, license, LAPTOP);
  }
  await activate(service, active, 'desktop-of-somebody-else');
  await service.post(`/licenses/${revoked._id}/revoke`, { reason: 'Unpaid' }, ada);
  await service.post(`/licenses/${renewed._id}/renew`, { duration: 2 }, ada);
  await service.post(`/licenses/${reissued._id}/reissue`, {}, ada);
  expect((await issueCertificate(service, eve, certified)).status).toBe(201);
  const licenses = [pending, active, own, revoked, renewed, reissued, certified, aged];
  return {
    developers: [ada, again, eve],
    writes,
    checks: licenses.flatMap(({ key }) => [{ key, fingerprint: LAPTOP }, { key }]),
    active,
    aged: aged._id,
  };
}

/** The responses of all routes that only read. */
export async function readEverything(
  service: HttpCaller,
  developers: readonly Developer[],
): Promise<Record<string, unknown>> {
  const responses: Record<string, unknown> = {};
  for (const { _id, token } of developers) {
    const paths = [
      '/auth/me',
      '/dashboard?limit=20',
      '/dashboard/summary',
      '/signing-keys',
      `/keys/${_id}`,
    ];
    for (const list of ['clients', 'projects', 'licenses']) {
      const ids = idsOf(await readPages(service, `/${list}?limit=100`, { token }));
      paths.push(`/${list}?limit=100`, ...ids.map((id) => `/${list}/${id}`));
      if (list === 'licenses') paths.push(...ids.map((id) => `/licenses/${id}/events?limit=100`));
    }
    for (const path of paths) {
      const { status, body } = await service.get(path, { token });
      responses[`${_id} ${path}`] = [status, JSON.stringify(body)];
    }
  }
  return responses;
}

/** The status of each check by validation. */
export async function validateAll(service: HttpCaller, { checks }: Traffic): Promise<string[]> {
  const statuses: string[] = [];
  for (const check of checks) statuses.push(await validationOf(service, check, check.fingerprint));
  return statuses;
}

async function makeKeyedWrite(
  service: HttpCaller,
  developer: Developer,
  name: string,
): Promise<KeyedWrite> {
  const { path, body, moveOn } = await WRITES[name]!(service, developer);
  const headers = { 'Idempotency-Key': randomUUID() };
  const response = await service.post(path, body, { token: developer.token, headers });
  await moveOn(response.body);
  return { path, body, headers, response };
}
