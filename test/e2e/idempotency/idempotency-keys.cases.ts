import { activate, createClient, createLicense, PASSWORD } from '../developer.js';
import { expectInvalid } from '../expect-response.js';
import { contentOf } from '../stored-content.js';
import { useApp, useDeveloper } from '../use-app.js';

describe('The header Idempotency-Key', () => {
  const app = useApp();
  const ada = useDeveloper(app);

  const post = (path: string, body: unknown, key: string, { token } = ada) =>
    app.post(path, body, { token, headers: { 'Idempotency-Key': key } });
  const newClient = (email: string) => ({ name: 'Acme', email: `${email}@keys.example` });

  // Every form of a key has its case in src/shared/idempotency/idempotency-key.spec.ts.
  it('is the same key bare and quoted, and another one in another case', async () => {
    const key = 'a, b; c=d "$ne\\';
    const first = await post('/clients', newClient('quoted'), key);
    const quoted = await post('/clients', newClient('quoted'), '"a, b; c=d \\"$ne\\\\"');
    const other = await post('/clients', newClient('another'), key.toUpperCase());

    expect([first.status, quoted.status, other.status]).toEqual([201, 201, 201]);
    expect(quoted.body).toEqual(first.body);
  });

  it('400: is rejected where it is malformed, and nothing is done; 401 before that', async () => {
    for (const key of ['', 'k'.repeat(256), 'schlüssel', '"abc']) {
      expectInvalid(await post('/clients', newClient('rejected'), key), 'Idempotency-Key');
    }
    expect((await app.get('/clients?search=rejected', ada)).body.data).toEqual([]);
    expect((await post('/clients', {}, '', { ...ada, token: 'nonsense' })).status).toBe(401);
  });

  it('is free after a rejection for the same request, which may succeed then', async () => {
    const taker = await createClient(app, ada, newClient('wanted'));
    expect((await post('/clients', newClient('wanted'), 'wanted')).status).toBe(409);
    await app.delete(`/clients/${taker._id}`, ada);
    expect((await post('/clients', newClient('wanted'), 'wanted')).status).toBe(201);

    const license = await createLicense(app, ada);
    const renew = () => post(`/licenses/${license._id}/renew`, { duration: 1 }, 'renewal');
    expect((await renew()).status).toBe(409);
    await activate(app, license);
    expect((await renew()).status).toBe(200);
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
