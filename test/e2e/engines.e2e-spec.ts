import { TestApp } from '../app.js';
import { EVERY_ENGINE } from '../engines.js';
import { START } from '../fake-clock.js';
import { statusesOf } from './responses.js';
import { everythingOf } from './everything.js';
import {
  type ApiRoute,
  createWorld,
  INJECTED,
  injectedInto,
  orderOf,
  productOf,
  ROUTES,
  type World,
} from './security/world.js';
import { addWebhook, deliveriesOf, driveUntil, verified } from './webhooks/drive.js';
import { type Receiver, useReceiver } from './webhooks/receiver.js';

/** They continue after their response: `useWorkers` completes them. */
const BY_WORKERS = ['revokeLicenses', 'deleteProject', 'deleteClient', 'testWebhook', 'redeliver'];

/** Others need what these remove, so they come last, for the same user or another one. */
const LAST = [
  ...['endSession', 'releaseMachineOfLicense', 'revokeLicense', 'removeMember', 'deleteApiKey'],
  ...['deletePlan', 'deleteWebhook', 'rotateSigningKeys', 'changePassword'],
];
const OF_ANOTHER = [
  ...['updatePlan', 'suspendLicense', 'resumeLicense', 'releaseMachine', 'reissueLicense'],
  ...['acceptInvitation', 'logout', 'endOtherSessions', 'eraseFromBin'],
];

type Exchange = [request: string, status: number, body: unknown];

/** Records every request of a test with its response, one second apart, so lists are ordered by time. */
function recordExchanges(app: TestApp): Exchange[] {
  const exchanges: Exchange[] = [];
  const send = app.send.bind(app);
  app.send = async (method, path, ...more) => {
    app.clock.advance({ seconds: 1 });
    const exchange: Exchange = [`${method} ${path.replace(/cursor=.*/, 'cursor')}`, 0, undefined];
    exchanges.push(exchange);
    const response = await send(method, path, ...more);
    exchange.splice(1, 2, response.status, response.body);
    return response;
  };
  return exchanges;
}

/** Ids, machine hashes, signing key names, TOTP secrets, the random parts of license keys and their hints, and of email addresses. */
const NEW_EACH_TIME =
  /(?<![\w-])[\w-]{43}(?![\w-])|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{64}|[0-9a-f]{24}|(?<=•••• )[A-Z0-9]{4}|(-[A-Z0-9]{4}){3}$|(?<=secret=)[A-Z2-7]{32}/g;

/** Responses without tokens, certificates and cursors; new values are numbered by first appearance. */
function normal(responses: object): unknown {
  const numbers = new Map<string, string>();
  const numberOf = (found: string) => {
    if (!numbers.has(found)) numbers.set(found, `#${numbers.size}`);
    return numbers.get(found)!;
  };
  return JSON.parse(JSON.stringify(responses), (name, value: unknown) => {
    if (typeof value !== 'string') return value;
    if (/Token$|^certificate$|^nextCursor$/.test(name)) return name;
    return ['kid', 'x', 'keyHint', 'secret', 'invitation', 'link'].includes(name)
      ? numberOf(value)
      : value.replaceAll(NEW_EACH_TIME, numberOf);
  }) as unknown;
}

const QUERIES: Readonly<Record<string, (world: World) => string>> = {
  listClients: () => '?sort=name&order=desc&limit=1&total=true',
  listLicenses: ({ user, project }) =>
    `?projectId=${project._id}&product=${productOf(user)}&externalId=${orderOf(user)}&entitlement=team` +
    '&status=ACTIVE&status=PENDING&createdAfter=2026-01-01T00:00:00Z&expiresAfter=2026-03-01T00:00:00Z&expiresBefore=2027-03-01T00:00:00Z' +
    '&sort=expiresAt&order=asc&limit=1&total=true',
  // Not for licenses: the hint of a key cannot be distinguished from the rest of a line.
  exportLicenses: () => '?status=EXPIRED',
  exportLicenseKeys: () => '?status=EXPIRED',
  listLicensesOfMachine: ({ machine }) => `?machineId=${machine}`,
};

/**
 * Fields that a POST ignores: null in its own fields, and unknown fields if shipped software sends it.
 */
function extrasOf(route: ApiRoute): Record<string, unknown> {
  if (route.method !== 'POST') return {};
  if (route.isLenient) return injectedInto(route);
  return Object.fromEntries(route.fields.map((name) => [name, null]));
}

/** Without their cookies, sessions of browsers do not exist; and the client of the link has another address by then. */
const REJECTED: Readonly<Record<string, number>> = {
  sendCustomerKey: 401,
  ...{ refreshConsoleSession: 401, listCustomerLicenses: 401, releaseCustomerMachine: 401 },
  ...{ createPortalSession: 400, requestPortalLink: 409 },
  // Mail is off here, and nobody has such a link.
  ...{ requestPasswordReset: 409, confirmPasswordReset: 400, confirmEmail: 400, changeEmail: 409 },
  ...{ testMailTemplate: 409, sendLicenseKey: 409, retryMail: 409 },
  // Nobody has a second factor, and without PUBLIC_URL there are no passkeys.
  ...{ loginWithFactor: 401, createConsoleSessionWithFactor: 401, confirmTotp: 403 },
  ...{ loginWithPasskey: 403, createConsoleSessionWithPasskey: 403, createLoginOptions: 409 },
  ...{ createConsoleSessionOptions: 409, createPasskeyOptions: 409, createPasskey: 409 },
  ...{ createRecoveryCodes: 404, deleteFactor: 404 },
  // Nothing has been delivered.
  getDelivery: 404,
};

/** Sends each operation for a user with a record of every kind, with its extras, and reads the results. */
async function sendEach(app: TestApp): Promise<void> {
  const late = [...BY_WORKERS, ...LAST, ...OF_ANOTHER];
  const first = ROUTES.map(({ id }) => id).filter((id) => !late.includes(id));
  for (const operations of [[...first, ...LAST], OF_ANOTHER]) {
    const world = await createWorld(app);
    for (const operation of operations) {
      const route = ROUTES.find(({ id }) => id === operation)!;
      const sent = JSON.stringify({ ...extrasOf(route), ...route.bodyOf(world) });
      const body = route.hasBody ? sent : undefined;
      const path = route.pathTo(world) + (QUERIES[operation]?.(world) ?? '');
      const { status, body: shown } = await app.send(route.method, path, body, world.user);
      if (operation === 'listLicenses') expect(shown.data).toHaveLength(1);
      const rejected = REJECTED[operation];
      const isRight = rejected === undefined ? status < 300 : status === rejected;
      expect([operation, status, isRight]).toEqual([operation, status, true]);
    }
    await everythingOf(app, world.user);
  }
}

/** Lets workers deliver a message and revoke all licenses of a project, which is then deleted with its client. */
async function useWorkers(app: TestApp, receiver: Receiver): Promise<void> {
  const ada = await app.register();
  const license = await app.createLicense(ada);
  const webhook = await addWebhook(app, ada, `${receiver.url}/hook`, ['license.updated']);
  const { body } = await app.patch(`/licenses/${license._id}`, { maxMachines: 2 }, ada);
  delete body.license.key;
  const isDelivered = async () =>
    (await deliveriesOf(app, ada, webhook))[0]?.status === 'delivered';
  await driveUntil(app, isDelivered);
  const message = { type: 'license.updated', data: { license: body.license } };
  expect(verified(app, webhook.secret, receiver.arrived[0]!)).toMatchObject(message);
  const [delivery] = await deliveriesOf(app, ada, webhook);
  expect(delivery).toMatchObject({ attempts: 1, responseStatus: 204 });
  const path = `/webhooks/${webhook._id}`;
  const project = `/projects/${license.project}`;
  const requests = [
    await app.post(`${path}/deliveries/${delivery!._id}/redeliver`, {}, ada),
    await app.post(`${path}/test`, {}, ada),
    await app.post(`${project}/licenses/revoke`, {}, ada),
  ];
  expect(statusesOf(requests)).toEqual([202, 202, 202]);
  await driveUntil(app, async () => (await app.validationOf(license)) === 'revoked');
  const deletions = [
    await app.delete(project, ada),
    await app.delete(`/clients/${license.client}`, ada),
  ];
  expect(statusesOf(deletions)).toEqual([204, 204]);
}

describe('The API', () => {
  const receiver = useReceiver();
  const all: Exchange[][] = [];
  let app: TestApp;
  afterEach(() => app.stop());

  it.each(EVERY_ENGINE)(
    'S3: responds the same on %s, and ignores null and the foreign fields sent by shipped software',
    async (engine) => {
      app = await TestApp.start(engine, { GUESS_LIMIT: '5' });
      app.clock.set(START);
      const exchanges = recordExchanges(app);
      await sendEach(app);
      for (const [request, , body] of exchanges) {
        expect([request, INJECTED.test(JSON.stringify(body) ?? '')]).toEqual([request, false]);
      }
      all.push(normal(exchanges) as Exchange[]);
      await useWorkers(app, receiver);

      const [first, latest] = [all[0]!, all.at(-1)!];
      for (const [i, exchange] of latest.entries()) expect(exchange).toEqual(first[i]);
      expect(latest).toHaveLength(first.length);
    },
  );
});
