import { SigningKeysService } from '../../../src/certificates/signing-keys/signing-keys.service.js';
import { KeyPairs } from '../../../src/certificates/signing-keys/key-pairs.service.js';
import { Config } from '../../../src/shared/config/config.js';
import { PROJECT_TASKS } from '../../../src/projects/project-task.js';
import { toAccountId } from '../../../src/shared/ids.js';
import { Store } from '../../../src/storage/store.js';
import { atOnce, expectInvalid } from '../responses.js';
import { NEW_PASSWORD, PASSWORD } from '../developer.js';
import { everythingOf } from '../everything.js';
import { createWorld, RECORDS, ROUTES, type World } from '../security/world.js';
import { contentOf } from '../stored-content.js';
import { MAIL_ON } from '../../mail-server.js';
import { useDeveloper } from '../use-app.js';

const DAY = 24 * 60 * 60;
const POSTS = ROUTES.filter(
  // Excludes two reads, sent as POST to keep license keys out of URLs and logs, work that outlives its response, and imports, which
  // are repeated by their references.
  (route) =>
    route.method === 'POST' &&
    !route.isPublic &&
    // Codes and challenges of second factors work once by themselves.
    !/^\/auth\/(factors|step-up)/.test(route.path) &&
    !['lookUpLicense', 'search', 'revokeLicenses', 'importLicenses'].includes(route.id),
);

/** These need more than a request: see test/e2e/webhooks and test/e2e/customer-mail. */
const ELSEWHERE = ['redeliver', 'testWebhook', 'testMailTemplate', 'sendLicenseKey'];
const WRITES = POSTS.filter((route) => !ELSEWHERE.includes(route.id));

/** Changes a body in a field that its idempotency record depends on. */
const OTHER: Record<string, object> = {
  ...{ createClient: { name: 'Other' }, createProject: { projectName: 'Other' } },
  ...{ createPlan: { name: 'Other' }, createApiKey: { name: 'Other' } },
  ...{ createLicense: { duration: 4 }, createLicenses: { count: 3 } },
  ...{ renewLicense: { duration: 4 }, reissueLicense: { duration: 4 } },
  ...{ suspendLicense: { reason: 'Other' }, revokeLicense: { reason: 'Other' } },
  issueCertificate: { days: 31 },
  ...{ createWebhook: { description: 'Other' }, rotateWebhookSecret: { expireOld: undefined } },
  ...{ inviteMember: { role: 'viewer' }, rotateSigningKeys: { compromised: true } },
  changeLicenses: { operation: 'resume' },
  changeEmail: { email: 'other@keys.example' },
  changePassword: { newPassword: 'ten quiet kettles whistle' },
};

/** The response field that only the first response shows (S24). */
const SHOWN_ONCE: Record<string, string> = {
  ...{ createApiKey: 'secret', createWebhook: 'secret', rotateWebhookSecret: 'secret' },
  ...{ inviteMember: 'invitation', createPortalLink: 'link' },
};

describe('The header Idempotency-Key', () => {
  const [app, ada] = useDeveloper(MAIL_ON);

  const post = (path: string, body: unknown, key: string, { token } = ada) =>
    app.post(path, body, { token, headers: { 'Idempotency-Key': key } });
  const newClient = (email: string) => ({ name: 'Acme', email: `${email}@keys.example` });

  it('is accepted by every authenticated POST', () => {
    const keyed = POSTS.filter(({ operation }) =>
      operation.parameters?.some(({ name }) => name === 'Idempotency-Key'),
    );
    expect(keyed).toEqual(POSTS);
  });

  it.each(WRITES.map((route) => [route.id, route] as const))(
    'S24: of %s: runs once for 3 concurrent requests and a later repeat, which get no secret, and never for another body',
    async (operation, route) => {
      const world = await createWorld(app);
      const { user } = world;
      const path = route.pathTo(world);
      const body = route.bodyOf(world);
      const send = async (key: string, sent: object = body) => {
        const response = await post(path, sent, key, user);
        return { ...response, headers: undefined, text: JSON.stringify(response.body) };
      };
      const hidden = SHOWN_ONCE[operation];
      const responses = await atOnce(3, () => send('key of ada'));
      const first = responses.find((one) => !hidden || one.body[hidden] !== null)!;
      const shown = hidden ? { ...first.body, [hidden]: null } : first.body;
      const repeat = { ...first, body: shown, text: JSON.stringify(shown) };
      await moveOn(first.body ?? {}, world);
      const { kid } = first.body?.current ?? {};
      if (kid) await app.post(path, { ...body, current: kid }, user);
      const before = await everythingOf(app, user);
      app.clock.advance({ seconds: 9 * 60 });

      expect(first.status).toBeLessThan(300);
      expect(responses.filter((one) => one !== first)).toEqual([repeat, repeat]);
      expect(await send('"key of ada"')).toEqual(repeat);
      if (route.hasBody) {
        const other = await send('key of ada', { ...body, ...OTHER[operation] });
        expect([other.status, other.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
      }
      expect(await everythingOf(app, user)).toEqual(before);
    },
  );

  /** Ends or deletes the records shown in a response. */
  async function moveOn(shown: Record<string, { _id: string }>, { user }: World) {
    for (const [resource, kind] of Object.entries(RECORDS)) {
      const { _id } = shown[kind] ?? {};
      if (_id && kind === 'license') await app.post(`/licenses/${_id}/revoke`, {}, user);
      else if (_id) await app.delete(`/${resource}/${_id}`, user);
    }
    // The licenses of a deleted project are removed after the response.
    const store = app.nest.get(Store, { strict: false });
    while ((await store.count(PROJECT_TASKS, {})) > 0) await new Promise(setImmediate);
  }

  it('400: is rejected if malformed, without doing anything; 401 comes first', async () => {
    for (const key of ['', 'k'.repeat(256), 'schlüssel', '"abc']) {
      expectInvalid(await post('/clients', newClient('rejected'), key), 'Idempotency-Key');
    }
    expect((await app.get('/clients?search=rejected', ada)).body.data).toEqual([]);
    expect((await post('/clients', {}, '', { ...ada, token: 'nonsense' })).status).toBe(401);
  });

  it('can be reused 24 hours after a success', async () => {
    const first = await post('/clients', newClient('first'), 'daily');
    app.clock.advance({ seconds: DAY - 0.001 });
    const again = await app.logIn(ada);
    expect((await post('/clients', newClient('first'), 'daily', again)).body).toEqual(first.body);
    app.clock.advance({ seconds: 0.001 });
    expect((await post('/clients', newClient('second'), 'daily', again)).status).toBe(201);
  });

  // Every e2e test also searches its logs and responses for private keys: test/watched-key-pairs.ts.
  it('S17, S24: stores no license key, private key, idempotency key, password or other secret in plain text', async () => {
    const world = await createWorld(app);
    const header = 'planted-idempotency-key';
    const secrets = [header, PASSWORD, NEW_PASSWORD];
    for (const [operation, ...shown] of [
      ['createLicense', 'license', 'key'],
      ['reissueLicense', 'license', 'key'],
      ['createApiKey', 'secret'],
      ['createWebhook', 'secret'],
      ['inviteMember', 'invitation'],
      ['rotateSigningKeys'],
      ['changePassword'],
    ] as [string, ...string[]][]) {
      const route = WRITES.find((one) => one.id === operation)!;
      const body = route.bodyOf(world);
      const response = await post(route.pathTo(world), body, header + operation, world.user);
      expect(response.status).toBeLessThan(300);
      const secret = shown.reduce((value, name) => value[name], response.body);
      if (shown.length > 0) secrets.push(String(secret).slice(-14));
    }
    expect(secrets).toHaveLength(8);
    const { issuer, current, next } = (await app.nest
      .get(SigningKeysService)
      .findOrCreate(toAccountId(world.user._id)))!;
    for (const key of [current, next]) {
      const seed = app.nest.get(KeyPairs).open(issuer, key);
      expect(seed).toHaveLength(32);
      for (const form of ['base64url', 'base64', 'hex', 'latin1'] as const) {
        secrets.push(seed.toString(form));
      }
    }
    // The idempotency records are part of the content.
    const stored = contentOf(app.nest.get(Config).dataDir).toLowerCase();
    expect(stored.split(String(world.license._id)).length).toBeGreaterThan(2);
    expect(stored).toContain(next.sealedSeed.toLowerCase());
    for (const secret of secrets) expect(stored).not.toContain(secret.toLowerCase());
  });
});
