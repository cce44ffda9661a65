import { START } from '../../fake-clock.js';
import { atOnce } from '../at-once.js';
import { createClient, createLicense, logIn, PASSWORD, registerDeveloper } from '../developer.js';
import { everythingOf } from '../everything.js';
import { expectError, expectInvalid } from '../expect-response.js';
import { idOf, ROUTES } from '../security/world.js';
import { contentOf } from '../stored-content.js';
import { useApp, useDeveloper } from '../use-app.js';
import { WRITES } from './writes.js';

const DAY = 24 * 60 * 60;
const POSTS = ROUTES.filter(
  // Two reads, whose bodies may have license keys, because addresses end up in logs; and what goes on after its response.
  (route) =>
    route.method === 'POST' &&
    route.operation.security?.length &&
    !['lookUpLicense', 'search', 'revokeLicenses'].includes(idOf(route)),
);

/** What these show, they show once, or they need more than a request: test/e2e/access and test/e2e/webhooks have their cases. */
const ELSEWHERE = [
  ...['createApiKey', 'createWebhook', 'inviteMember', 'redeliver', 'rotateWebhookSecret'],
  'testWebhook',
];

describe('The header Idempotency-Key', () => {
  const app = useApp();
  const ada = useDeveloper(app);

  beforeEach(() => app.clock.set(START));

  const post = (path: string, body: unknown, key: string, { token } = ada) =>
    app.post(path, body, { token, headers: { 'Idempotency-Key': key } });
  const newClient = (email: string) => ({ name: 'Acme', email: `${email}@keys.example` });

  it('is accepted by every authenticated POST, which has its case here', () => {
    const keyed = POSTS.filter(({ operation }) =>
      operation.parameters?.some(({ name }) => name === 'Idempotency-Key'),
    );
    expect(keyed).toEqual(POSTS);
    expect(keyed.map(idOf).sort()).toEqual([...Object.keys(WRITES), ...ELSEWHERE].sort());
  });

  it.each(Object.entries(WRITES))(
    'of %s: it is done once for 3 requests at once and a later repeat, and not for another body',
    async (_operation, newWrite) => {
      const user = await registerDeveloper(app);
      const { path, body, otherBody, moveOn } = await newWrite(app, user);
      const send = async (key: string, sent = body) => {
        const response = await post(path, sent, key, user);
        return {
          status: response.status,
          body: response.body,
          text: JSON.stringify(response.body),
        };
      };
      const responses = await atOnce(3, () => send('key of ada'));
      await moveOn(responses[0]!.body ?? {});
      const before = await everythingOf(app, user);
      app.clock.advance({ seconds: 10 * 60 });

      expect(responses[0]!.status).toBeLessThan(300);
      expect(responses).toEqual(Array(3).fill(responses[0]));
      expect(await send('"key of ada"')).toEqual(responses[0]);
      const other = await send('key of ada', otherBody);
      expect([other.status, other.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
      expect(await everythingOf(app, user)).toEqual(before);
    },
  );

  // Every form of a key has its case in src/shared/idempotency.
  it('is another one in another case, and 422 for another path', async () => {
    const key = 'a, b; c=d "$ne\\';
    const first = await post('/clients', newClient('first'), key);
    const other = await post('/clients', newClient('another'), key.toUpperCase());
    expect([first.status, other.status]).toEqual([201, 201]);

    const { project } = await createLicense(app, ada);
    // Right for either path, as each drops what it does not know.
    const body = { ...newClient('first'), duration: 6, services: ['Hosting'] };
    const elsewhere = await post(`/projects/${project}/licenses`, body, key);
    expectError(elsewhere, [422, 'IDEMPOTENCY_KEY_REUSED']);
  });

  it('400: is rejected where it is malformed, and nothing is done; 401 before that', async () => {
    for (const key of ['', 'k'.repeat(256), 'schlüssel', '"abc']) {
      expectInvalid(await post('/clients', newClient('rejected'), key), 'Idempotency-Key');
    }
    expect((await app.get('/clients?search=rejected', ada)).body.data).toEqual([]);
    expect((await post('/clients', {}, '', { ...ada, token: 'nonsense' })).status).toBe(401);
  });

  it('is free after a rejection, and 24 hours after a success', async () => {
    const taker = await createClient(app, ada, newClient('wanted'));
    expect((await post('/clients', newClient('wanted'), 'wanted')).status).toBe(409);
    await app.delete(`/clients/${taker._id}`, ada);
    const first = await post('/clients', newClient('wanted'), 'wanted');
    expect(first.status).toBe(201);

    app.clock.advance({ seconds: DAY - 0.001 });
    const again = await logIn(app, ada);
    expect((await post('/clients', newClient('wanted'), 'wanted', again)).body).toEqual(first.body);
    app.clock.advance({ seconds: 0.001 });
    expect((await post('/clients', newClient('new'), 'wanted', again)).status).toBe(201);
  });

  it('stores no license key, idempotency key or password in plain text', async () => {
    const license = await createLicense(app, ada);
    const header = 'planted-idempotency-key';
    const terms = { duration: 1, services: ['Hosting'] };
    const added = await post(`/projects/${license.project}/licenses`, terms, `${header}-1`);
    const reissued = await post(`/licenses/${license._id}/reissue`, {}, `${header}-2`);
    const passwords = { currentPassword: PASSWORD, newPassword: 'nine loud kettles whistle' };
    const changed = await post('/auth/password', passwords, `${header}-3`);
    expect([added.status, reissued.status, changed.status]).toEqual([201, 201, 204]);
    const stored = contentOf(app);

    // The idempotency records are part of the content.
    expect(stored.split(String(reissued.body.license._id)).length).toBeGreaterThan(2);
    const keys: string[] = [license, added.body.license, reissued.body.license].map(({ key }) =>
      key.slice(-14),
    );
    for (const secret of [...keys, header, PASSWORD, passwords.newPassword]) {
      expect(stored.toLowerCase()).not.toContain(secret.toLowerCase());
    }
  });
});
