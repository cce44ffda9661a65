import { randomUUID } from 'node:crypto';
import { COLLECTIONS } from '../../../src/collections.js';
import { MAILS, newMail } from '../../../src/mail/mail.js';
import { newObjectId, toAccountId } from '../../../src/shared/ids.js';
import { insert } from '../../../src/storage/changes.js';
import { Decisions } from '../../../src/storage/decisions.js';
import type { TestApp } from '../../app.js';
import { readDocument, routesOf, type Schema } from '../../document/openapi-document.js';
import { claimsOf, LAPTOP, NEW_PASSWORD, PASSWORD, pasted } from '../developer.js';
import { addWebhook } from '../webhooks/drive.js';

const NO_MACHINE = 'a'.repeat(64);
/** Nobody logs in with it. */
const NO_CHALLENGE = 'c'.repeat(43);
/** Signed by nobody. */
const NO_PASSKEY = {
  ...{ id: 'none', rawId: 'none', type: 'public-key' },
  response: { clientDataJSON: 'e30' },
};
const NO_TOKEN = 't'.repeat(43);
const NO_DELIVERY = 'd'.repeat(24);

/** A user with a record of each kind. */
export type World = Awaited<ReturnType<typeof createWorld>>;

/** @param isActive activates the license, which is otherwise PENDING */
export async function createWorld(app: TestApp, { isActive = true } = {}) {
  const user = await app.register();
  const { refreshToken: otherSession, token } = await app.logIn(user);
  const session = { _id: claimsOf(token).sid };
  // A real one would be due at each login.
  const factor = { _id: newObjectId() };
  const apiKey = await app.addApiKey(user, ['licenses:read']);
  // Nothing listens there, and it receives only its own test event.
  const webhook = await addWebhook(app, user, 'https://127.0.0.1:1024/', ['webhook.disabled']);
  // Not accepted yet.
  const { member, invitation } = (await app.invite(user)).body;
  const client = await app.createClient(user, { name: `Globex ${user._id}` });
  const binEntry = await app.createClient(user);
  for (const { _id } of [binEntry, await app.createClient(user)]) {
    await app.delete(`/clients/${_id}`, user);
  }
  const product = productOf(user);
  const offer = { name: 'Team', days: 30, services: ['Domain'] };
  const { plan } = (await app.post('/plans', offer, user)).body;
  await app.post('/plans', { ...offer, name: 'Trial' }, user);
  const floating = { maxMachines: 3, leaseSeconds: 86_400, release: 'self' };
  const terms = { product, externalId: orderOf(user), entitlements: ['team'], ...floating };
  const { project, license } = await app.createProject(user, client._id, terms);
  const { machineId } = isActive ? (await app.activate(license, LAPTOP)).body : {};
  await app.createLicense(user);
  const [mail] = [await addFailedMail(app, user), await addFailedMail(app, user)];
  const signingKeys = (await app.get('/signing-keys', user)).body;
  await app.put('/portal', { enabled: true, name: 'Globex' }, user);
  const { link } = (await app.post(`/clients/${client._id}/portal-link`, {}, user)).body;
  return {
    portalToken: (link as string).replace(/.*#/, ''),
    ...{ user, otherSession, client, project, plan, license, signingKeys },
    ...{ apiKey, webhook, member, invitation, session, factor, mail, binEntry },
    machine: (machineId ?? NO_MACHINE) as string,
  };
}

/** Stores a mail to a customer of the account that was not accepted. */
async function addFailedMail(app: TestApp, { _id, email: to }: { _id: string; email: string }) {
  const fields = {
    accountId: toAccountId(_id),
    kind: 'invitation',
    to,
    subject: 'Join',
  } as const;
  const mail = newMail(fields, false, app.clock.now());
  await app.nest.get(Decisions).commit([insert(MAILS, { ...mail, isToMember: false })]);
  return { _id: mail._id };
}

/** The product of a world's project. */
export const productOf = ({ _id }: { _id: string }): string => `globex-${_id}`;

/** The external id of a world's license. */
export const orderOf = ({ _id }: { _id: string }): string => `order-${_id}`;

const TERMS = { duration: 3, services: ['Domain'] };

/** A valid body for the records of a world, for each operation that takes one. */
const BODIES: Record<string, (world: World) => object> = {
  register: () => ({ name: 'Eve', email: `${randomUUID()}@example.com`, password: PASSWORD }),
  login: ({ user }) => ({ email: user.email, password: PASSWORD }),
  createConsoleSession: ({ user }) => ({ email: user.email, password: PASSWORD }),
  refresh: ({ user }) => ({ refreshToken: user.refreshToken }),
  refreshConsoleSession: () => ({}),
  logout: ({ otherSession }) => ({ refreshToken: otherSession }),
  loginWithFactor: () => ({ challenge: NO_CHALLENGE, code: '123456' }),
  createConsoleSessionWithFactor: () => ({ challenge: NO_CHALLENGE, code: '123456' }),
  loginWithPasskey: () => ({ response: NO_PASSKEY }),
  createConsoleSessionWithPasskey: () => ({ response: NO_PASSKEY }),
  stepUp: () => ({ password: PASSWORD }),
  confirmTotp: () => ({ code: '123456' }),
  createPasskey: () => ({ name: 'Phone', response: NO_PASSKEY }),
  updateAccountPolicy: () => ({ mfa: 'optional' }),
  changePassword: () => ({ currentPassword: PASSWORD, newPassword: NEW_PASSWORD }),
  requestPasswordReset: ({ user }) => ({ email: user.email }),
  confirmPasswordReset: () => ({ token: NO_TOKEN, password: NEW_PASSWORD }),
  changeEmail: ({ user }) => ({ email: `new-${user.email}` }),
  confirmEmail: () => ({ token: NO_TOKEN }),
  createApiKey: () => ({ name: 'Checkout', scopes: ['licenses:read'] }),
  // Nothing listens there.
  createWebhook: () => ({ url: 'https://127.0.0.1:1024/', types: ['webhook.disabled'] }),
  updateWebhook: () => ({ description: 'Orders' }),
  rotateWebhookSecret: () => ({ expireOld: true }),
  inviteMember: () => ({ email: `${randomUUID()}@example.com`, role: 'support' }),
  updateMember: () => ({ role: 'viewer' }),
  acceptInvitation: ({ invitation }) => ({ invitation, name: 'Grace', password: PASSWORD }),
  createClient: () => ({ name: 'Initech', email: `${randomUUID()}@initech.example` }),
  updateClient: () => ({ name: 'Initech', email: `${randomUUID()}@initech.example` }),
  updatePortal: () => ({ enabled: true, name: 'Globex' }),
  requestPortalLink: ({ client }) => ({ email: client.email }),
  createPortalSession: ({ portalToken: token }) => ({ token }),
  createProject: ({ client }) => ({ clientId: client._id, projectName: 'Wiki', ...TERMS }),
  updateProject: () => ({ name: 'Wiki' }),
  createLicense: () => TERMS,
  createLicenses: () => ({ ...TERMS, count: 2 }),
  search: ({ license }) => ({ q: pasted(license.key) }),
  lookUpLicense: ({ license }) => ({ key: pasted(license.key) }),
  createPlan: () => ({ name: 'Crew', ...TERMS }),
  updatePlan: () => ({ name: 'Crew' }),
  revokeLicenses: () => ({ reason: 'Contract ended' }),
  suspendLicense: () => ({ reason: 'Contract ended' }),
  revokeLicense: () => ({ reason: 'Contract ended' }),
  renewLicense: () => ({ duration: 1 }),
  reissueLicense: () => ({ duration: 3 }),
  issueCertificate: ({ project }) => ({
    ...{ fingerprint: 'machine-without-a-network', product: project._id, days: 30 },
  }),
  rotateSigningKeys: ({ signingKeys }) => ({
    ...{ current: signingKeys.current.kid, password: PASSWORD },
  }),
  updateLicense: () => ({ maxMachines: 4 }),
  changeLicenses: ({ license }) => ({
    operation: 'update',
    items: [{ id: license._id, maxMachines: 4 }],
  }),
  importLicenses: () => ({
    ...{ source: 'keygen', mode: 'create' },
    rows: [
      {
        ...{ ref: randomUUID(), key: `${randomUUID()}-LAST`, project: 'Wiki' },
        client: { email: `${randomUUID()}@initech.example` },
        ...TERMS,
      },
    ],
  }),
  putMailTemplate: () => ({ enabled: false, subject: 'For {{client.name}}' }),
  activateLicense: ({ license }) => ({ key: pasted(license.key) }),
  sendHeartbeat: ({ license }) => ({ key: pasted(license.key), fingerprint: LAPTOP }),
  releaseMachine: ({ license }) => ({ key: pasted(license.key), fingerprint: LAPTOP }),
  validateLicense: ({ license }) => ({ key: pasted(license.key) }),
};

/** The field of a world, and of a response, that contains a resource's record. */
export const RECORDS = {
  clients: 'client',
  projects: 'project',
  plans: 'plan',
  licenses: 'license',
  'api-keys': 'apiKey',
  webhooks: 'webhook',
  members: 'member',
  'auth/sessions': 'session',
  'auth/factors': 'factor',
  mails: 'mail',
  bin: 'binEntry',
} as const;

/** What the specification adds to every error of these operations. */
export const ERROR_MARKERS: Readonly<Record<string, object>> = {
  validateLicense: { valid: false },
  activateLicense: { success: false },
  sendHeartbeat: { success: false },
  releaseMachine: { success: false },
};

/** The kind of record identified by a path's `id` parameter; undefined without one. */
function recordOf(path: string): (typeof RECORDS)[keyof typeof RECORDS] | undefined {
  // The keys of an issuer are public, a kind of template is not a record, and a portal shows the records of its session.
  if (!path.includes('{') || /^\/(keys|mail-templates|portal)\//.test(path)) return undefined;
  const [, resource = ''] = /^\/(.+?)\/\{id\}/.exec(path) ?? [];
  const record = RECORDS[resource as keyof typeof RECORDS];
  if (!record) throw new Error(`No case for ${path}`);
  return record;
}

const schemaOf = (name: string): Schema | undefined => readDocument().components.schemas[name];

/** The names of the properties of a schema of the document. */
const propertiesOf = (schema: string): string[] => Object.keys(schemaOf(schema)?.properties ?? {});

/** The routes of the document, with what the tests of every route need. */
export const ROUTES = routesOf(readDocument()).map(({ method, path, operation }) => {
  const id = String(operation.operationId);
  if (operation.requestBody && !BODIES[id]) throw new Error(`No body for ${id}`);
  const record = recordOf(path);
  const { $ref = '' } = operation.requestBody?.content['application/json']?.schema ?? {};
  const parameters = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query');
  return {
    ...{ method, path, operation, id, record, marker: ERROR_MARKERS[id] },
    isPublic: !operation.security?.length,
    /** Streams text, one at a time per account; its query matches a list's. */
    isExport: id.startsWith('export'),
    hasBody: operation.requestBody !== undefined,
    /** Whether it ignores unknown fields: other versions of shipped software may send more. */
    isLenient: schemaOf(String($ref.split('/').at(-1)))?.additionalProperties === true,
    /** The field names of its body and query. */
    fields: propertiesOf(String($ref.split('/').at(-1))),
    parameters: parameters.map(({ name }) => name),
    bodyOf: (world: World): object => BODIES[id]?.(world) ?? {},
    /** The path of the operation for a record or the keys of a world, or for another id. */
    pathTo(target: World | string): string {
      const isId = typeof target === 'string';
      return path
        .replace('{machineId}', isId ? NO_MACHINE : target.machine)
        .replace('{delivery}', NO_DELIVERY)
        .replace('{kind}', 'license_issued')
        .replace('{issuer}', isId ? encodeURIComponent(target) : target.user._id)
        .replace(/\{\w+\}/, isId ? encodeURIComponent(target) : target[record ?? 'user']._id);
    },
  };
});

export type ApiRoute = (typeof ROUTES)[number];

export const ROUTES_WITH_BODY = ROUTES.filter(({ hasBody }) => hasBody);

/** The fields of every stored record, and everything sent or shown. */
const FIELDS = new Set([
  ...COLLECTIONS.flatMap(({ fields }) => Object.keys(fields)),
  ...Object.keys(readDocument().components.schemas).flatMap(propertiesOf),
]);

/** An id that no other test sends, because it is watched as a license key here. */
const AN_ID = 'fedcba9876543210fedcba98';
/** Too long to occur in a hash by chance. */
const A_COUNT = 9_099_099_099;

/** Values that would have an effect, and can be recognized. */
const VALUES: Record<string, unknown> = {
  ...{ status: 'ACTIVE', duration: 12, email: `${AN_ID}@example.com` },
  ...{ termMonths: A_COUNT, count: A_COUNT },
  ...{ clientsCount: A_COUNT, projectsCount: A_COUNT, licensesCount: A_COUNT },
};
export const INJECTED = new RegExp(`${AN_ID}|${A_COUNT}|2099-01-01`);

/** Every field except the route's own. */
export function injectedInto(route: ApiRoute): Record<string, unknown> {
  // A batch rejects the id of a single license.
  const own = [...route.fields, ...(route.id === 'createLicenses' ? ['externalId'] : [])];
  const names = [...FIELDS].filter((name) => !own.includes(name));
  const valueOf = (name: string) =>
    VALUES[name] ?? (/(At|Start)$/.test(name) ? '2099-01-01T00:00:00.000Z' : AN_ID);
  return Object.fromEntries(names.map((name) => [name, valueOf(name)]));
}
