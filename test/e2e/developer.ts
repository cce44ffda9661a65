import { randomUUID } from 'node:crypto';
import type { FakeClock } from '../fake-clock.js';
import type { HttpCaller } from '../http-caller.js';

/** A user of the service with an account and a session, as a test begins with one. */
export interface Developer {
  readonly _id: string;
  readonly email: string;
  readonly token: string;
}

export interface LoggedInDeveloper extends Developer {
  readonly refreshToken: string;
}

export const PASSWORD = 'correct horse battery';

/** Fingerprints of machines. */
export const LAPTOP = 'laptop-of-the-customer';
export const DESKTOP = 'desktop-of-the-customer';

/** The id of no record. */
export const NOBODYS = '0123456789abcdef01234567';

/** A license key of the right shape that no license has. */
export const unknownKey = (number = 0): string =>
  `LIC-${'0'.repeat(24)}-AAAA-BBBB-${String(number).padStart(4, '0')}`;

export async function registerDeveloper(app: HttpCaller): Promise<LoggedInDeveloper> {
  const email = `${randomUUID()}@example.com`;
  const { body } = await app.post('/auth/register', { name: 'Ada', email, password: PASSWORD });
  return { _id: body.user._id, email, ...tokensOf(body) };
}

/** The developer with a new session: for a test that has moved the clock past the end of the first. */
export async function logIn(
  app: HttpCaller,
  developer: Developer,
  password = PASSWORD,
): Promise<LoggedInDeveloper> {
  const { body } = await app.post('/auth/login', { email: developer.email, password });
  return { ...developer, ...tokensOf(body) };
}

/** Moves the clock of a service, and gives the developer a new session: the first may have ended. */
export async function moveTo(
  app: HttpCaller & { readonly clock: FakeClock },
  developer: LoggedInDeveloper,
  time: string,
): Promise<void> {
  app.clock.set(time);
  Object.assign(developer, await logIn(app, developer));
}

const tokensOf = (body: { accessToken: string; refreshToken: string }) => ({
  token: body.accessToken,
  refreshToken: body.refreshToken,
});

/** The claims of an access token. */
export const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(String(token.split('.')[1]), 'base64url').toString()) as { sid: string };

/** A client of the developer's, with an e-mail address of its own. */
export async function createClient(
  app: HttpCaller,
  { token }: Developer,
  fields: { name?: string; email?: string } = {},
) {
  const { body } = await app.post(
    '/clients',
    { name: 'Acme Ltd', email: `${randomUUID()}@acme.example`, ...fields },
    { token },
  );
  return body.client as { _id: string; name: string; email: string; createdAt: string };
}

export interface CreatedLicense {
  readonly _id: string;
  readonly key: string;
  readonly project: string;
  readonly client: string;
  readonly issuedAt: string;
  readonly expiresAt: string;
}

/** The terms of a license that a test chooses; see `NewLicenseDto`. */
interface Terms {
  readonly duration?: number | null;
  readonly services?: string[];
  readonly [field: string]: unknown;
}

const TERMS = { duration: 6, services: ['Hosting'] };

/** A project of a client, with its first license, which nobody has activated. */
export async function createProject(
  app: HttpCaller,
  { token }: Developer,
  clientId: string,
  fields: Terms & { projectName?: string; product?: string } = {},
) {
  const body = { clientId, projectName: 'Web shop', ...TERMS, ...fields };
  const response = await app.post('/projects/createProject', body, { token });
  return response.body as {
    project: { _id: string; client: string };
    license: CreatedLicense;
  };
}

/** A license that nobody has activated, of a new project of a new client. */
export async function createLicense(
  app: HttpCaller,
  developer: Developer,
  terms: Terms = {},
): Promise<CreatedLicense> {
  const client = await createClient(app, developer);
  return (await createProject(app, developer, client._id, terms)).license;
}

/** One more license of a project, which nobody has activated. */
export async function addLicense(
  app: HttpCaller,
  { token }: Developer,
  project: string,
  terms: Terms = {},
): Promise<CreatedLicense> {
  const path = `/projects/${project}/licenses`;
  return (await app.post(path, { ...TERMS, ...terms }, { token })).body.license;
}

/** Activates a license on the machine of the service, or on that of a fingerprint. */
export const activate = (app: HttpCaller, { key }: { key: string }, fingerprint?: string) =>
  app.post('/validate/activate', { key, fingerprint });

/** The status of a license by validation on the same machine. */
export async function validationOf(
  app: HttpCaller,
  { key }: { key: string },
  fingerprint?: string,
): Promise<string> {
  return (await app.post('/validate', { key, fingerprint })).body.status;
}
