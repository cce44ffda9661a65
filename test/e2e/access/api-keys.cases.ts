import { START } from '../../fake-clock.js';
import { atOnce, countsOf, expectError, expectInvalid, expectResponse } from '../responses.js';
import { useApp, useDeveloper } from '../use-app.js';

const SECRET = /^lms_[\w-]{49}$/;

describe('API keys', () => {
  const [app, ada] = useDeveloper();

  const create = (fields: object = {}) =>
    app.post('/api-keys', { name: ' Checkout ', scopes: ['licenses:read'], ...fields }, ada);
  const list = async () => (await app.get('/api-keys', ada)).body.data as unknown[];

  it('S24: shows the secret once, and lists its last four characters', async () => {
    const { status, body } = await create({ expiresAt: '2027-01-31T10:15:00+01:00' });
    const { secret, apiKey } = body;
    expect([status, secret]).toEqual([201, expect.stringMatching(SECRET)]);
    expect(apiKey).toEqual({
      ...{ _id: expect.any(String), name: 'Checkout', scopes: ['licenses:read'] },
      ...{ keyHint: secret.slice(-4), createdBy: ada._id, createdAt: START },
      ...{ expiresAt: '2027-01-31T09:15:00.000Z', lastUsedAt: null },
    });
    expect((await app.get('/licenses', { token: secret })).status).toBe(200);
    const response = await app.get('/api-keys', ada);
    const used = { ...apiKey, lastUsedAt: '2026-01-31T10:00:00.000Z' };
    expect(response.body).toEqual({ data: [used], nextCursor: null });
    expect(JSON.stringify(response.body)).not.toContain(secret);
  });

  it('deletion lists the webhooks the key created, which still work', async () => {
    const scopes = ['webhooks:read', 'webhooks:write', 'events:read', 'licenses:read'];
    const [one, other] = [await app.addApiKey(ada, scopes), await app.addApiKey(ada, scopes)];
    const fields = { url: 'https://1.1.1.1/hook', types: ['plan.created'] };
    const create = async ({ token }: { token: string }) =>
      (await app.post('/webhooks', fields, { token })).body.webhook;
    const [made] = [await create(one), await create(other), await create(ada)];
    expect(made.createdBy).toEqual({ type: 'api_key', id: one._id, name: expect.any(String) });
    const deleted = await app.delete(`/api-keys/${one._id}`, ada);
    const message = 'API key deleted';
    expectResponse(deleted, 200, { message, webhooks: [made] });
    expect((await app.get(`/webhooks/${made._id}`, ada)).body).toEqual(made);
  });

  it('idempotency keys are separate for each member and API key', async () => {
    const headers = { 'Idempotency-Key': 'shared' };
    const grace = await app.addMember(ada, 'admin');
    const key = await app.addApiKey(ada, ['plans:write']);
    for (const [name, { token }] of Object.entries({ ada, grace, key })) {
      for (let repeat = 0; repeat < 2; repeat++) {
        const plan = { name, days: 3, services: ['Hosting'] };
        const { body } = await app.post('/plans', plan, { token, headers });
        expect(body.plan.name).toBe(name);
      }
    }
  });

  it.each([
    ['scopes', []],
    ['scopes', ['licenses:read', 'licenses:read']],
    ['scopes', ['licenses:*']],
    ['expiresAt', START],
  ])('400: `%s` is not %j', async (field, value) => {
    expectInvalid(await create({ [field]: value }), field);
    expect(await list()).toEqual([]);
  });

  it('403: an account has at most 100, even if 10 are created at the same time', async () => {
    for (let i = 0; i < 95; i++) await create();
    const responses = await atOnce(10, () => create());
    expect(countsOf(responses)).toEqual({ 201: 5, API_KEY_QUOTA_REACHED: 5 });
    expect(await list()).toHaveLength(100);
  });

  it('401: an expired key, and a key in any other form', async () => {
    const expiresAt = '2026-02-28T10:15:00.000Z';
    const { token } = await app.addApiKey(ada, ['licenses:read'], { expiresAt });
    const status = async (text: string) => (await app.get('/licenses', { token: text })).status;
    app.clock.set(new Date(Date.parse(expiresAt) - 1).toISOString());
    expect(await status(token)).toBe(200);
    const wrong = ['lms_', token.slice(0, -1), `${token}x`, token.toLowerCase()];
    for (const text of wrong) expect([text, await status(text)]).toEqual([text, 401]);
    const headers = { Authorization: token };
    expect((await app.get('/licenses', { headers })).status).toBe(401);
    app.clock.set(expiresAt);
    expect(await status(token)).toBe(401);
  });

  it('masks license keys without licenses:write, in lists, the dashboard and repeated requests', async () => {
    const license = await app.createLicense(ada);
    await app.activate(license);
    const masked = `•••• ${license.key.slice(-4)}`;
    const scopes = ['licenses:read', 'licenses:revoke', 'dashboard:read'];
    const reader = await app.addApiKey(ada, scopes);
    const writer = await app.addApiKey(ada, [...scopes, 'licenses:write']);
    const viewer = await app.addMember(ada, 'viewer');
    const support = await app.addMember(ada, 'support');
    for (const [{ token }, key] of [
      [reader, masked],
      [viewer, masked],
      [writer, license.key],
      [support, license.key],
    ] as const) {
      const one = await app.get(`/licenses/${license._id}`, { token });
      const [listed] = (await app.get('/licenses', { token })).body.data;
      const dashboard = (await app.get('/dashboard', { token })).body;
      const shown = dashboard.data[0].projects[0].licenses[0];
      expect([one.body.key, listed.key, shown.key]).toEqual([key, key, key]);
    }
    const headers = { 'Idempotency-Key': 'revoke' };
    for (let i = 0; i < 2; i++) {
      const path = `/licenses/${license._id}/revoke`;
      const { body } = await app.post(path, {}, { token: reader.token, headers });
      expect(body.license.key).toBe(masked);
    }
  });

  it('search finds clients and projects only with their own scopes', async () => {
    const license = await app.createLicense(ada);
    const kinds = async (...scopes: string[]) => {
      const { token } = await app.addApiKey(ada, ['licenses:read', ...scopes]);
      const found = await Promise.all(
        ['Acme', 'Web shop', license._id].map((q) => app.post('/search', { q }, { token })),
      );
      return found.flatMap(({ body }) => body.data.map(({ kind }: { kind: string }) => kind));
    };
    expect(await kinds()).toEqual(['license']);
    expect(await kinds('clients:read')).toEqual(['client', 'license']);
    expect(await kinds('projects:read')).toEqual(['project', 'license']);
  });
});

describe('Wrong API keys', () => {
  const app = useApp({ GUESS_LIMIT: '3' });

  it('count as failed logins of their address, from which the correct key still works', async () => {
    const ada = await app.register();
    const { token } = await app.addApiKey(ada, ['licenses:read']);
    const call = (text: string) => app.get('/licenses', { token: text, from: '192.0.2.9' });
    const unknown = `lms_${'A'.repeat(49)}`;
    for (let i = 0; i < 4; i++) expectError(await call(unknown), 'UNAUTHORIZED');
    const logged = app.log.filter((line) => line.includes('api_key_rejected'));
    expect(logged).toHaveLength(3);
    expect((await call(token)).status).toBe(200);
    const login = { email: ada.email, password: 'one more guess' };
    const limited = await app.post('/auth/login', login, { from: '192.0.2.9' });
    expectError(limited, 'TOO_MANY_REQUESTS');
  });
});
