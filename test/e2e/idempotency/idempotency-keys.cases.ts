import { ENGINES } from '../../engines.js';
import {
  activate,
  createClient,
  createLicense,
  createProject,
  NOBODYS,
  PASSWORD,
} from '../developer.js';
import { contentOf } from '../stored-content.js';
import { useApp, useDeveloper } from '../use-app.js';

describe.each(ENGINES)('The header Idempotency-Key on %s', (engine) => {
  const app = useApp(engine);
  const ada = useDeveloper(app);

  const post = (path: string, body: unknown, key: string, { token } = ada) =>
    app.post(path, body, { token, headers: { 'Idempotency-Key': key } });
  const newClient = (email: string) => ({ name: 'Acme', email: `${email}@keys.example` });

  describe('as a key', () => {
    it.each([
      ['1 character', 'k', '"k"'],
      ['255 characters', 'k'.repeat(255), `"${'k'.repeat(255)}"`],
      ['a UUID', '8e03978e-40d5-43dd-bc93-6894a57f9324', '"8e03978e-40d5-43dd-bc93-6894a57f9324"'],
      ['spaces and marks', "a, b; c=d $ne '{}'", `"a, b; c=d $ne '{}'"`],
      ['a quote and a backslash', 'a"b\\c', '"a\\"b\\\\c"'],
    ])('is the same bare and quoted: %s', async (name, bare, quoted) => {
      const body = newClient(name.replaceAll(' ', '-'));
      const first = await post('/clients', body, bare);
      const second = await post('/clients', body, quoted);

      expect(first.status).toBe(201);
      expect([second.status, second.body]).toEqual([201, first.body]);
    });

    it('is another key in another case', async () => {
      const [upper, lower] = [
        await post('/clients', newClient('upper'), 'Case'),
        await post('/clients', newClient('lower'), 'case'),
      ];

      expect([upper.status, lower.status]).toEqual([201, 201]);
    });

    it.each([
      ['empty', ''],
      ['blank', '   '],
      ['empty in quotes', '""'],
      ['256 characters', 'k'.repeat(256)],
      ['256 characters in quotes', `"${'k'.repeat(256)}"`],
      ['with a tab', 'a\tb'],
      ['with a letter beyond ASCII', 'schlüssel'],
      ['an unfinished quotation', '"abc'],
      ['a quotation with more after it', '"abc"d'],
      ['a quotation with an unknown escape', '"a\\nb"'],
      ['one quote', '"'],
    ])('400: is rejected where it is %s, and nothing is done', async (_case, key) => {
      const before = (await app.get('/clients?limit=100', ada)).body;
      const response = await post('/clients', newClient('rejected'), key);

      expect(response.status).toBe(400);
      expect(response.body).toMatchObject({
        message: 'Validation error',
        errors: { 'Idempotency-Key': [expect.any(String)] },
      });
      expect((await app.get('/clients?limit=100', ada)).body).toEqual(before);
    });

    it('401: is not validated without a token', async () => {
      expect((await post('/clients', {}, '', { ...ada, token: 'nonsense' })).status).toBe(401);
    });
  });

  describe('after a rejection', () => {
    it('is free for the same request, which may succeed then: a new client', async () => {
      const taker = await createClient(app, ada, newClient('wanted'));
      expect((await post('/clients', newClient('wanted'), 'wanted')).status).toBe(409);
      await app.delete(`/clients/${taker._id}`, ada);
      const done = await post('/clients', newClient('wanted'), 'wanted');

      expect(done.status).toBe(201);
      expect(done.body.client._id).not.toBe(taker._id);
    });

    it('is free for the same request, which may succeed then: a renewal', async () => {
      const license = await createLicense(app, ada);
      const renew = () => post(`/licenses/${license._id}/renew`, { duration: 1 }, 'renewal');
      expect((await renew()).status).toBe(409);
      await activate(app, license);

      expect((await renew()).status).toBe(200);
    });

    it('is free for the same request, which may succeed then: a first project', async () => {
      const body = { clientId: NOBODYS, projectName: 'Shop', duration: 1, services: ['Domain'] };
      expect((await post('/projects/createProject', body, 'project')).status).toBe(404);
      const { _id: clientId } = await createClient(app, ada);

      expect((await post('/projects/createProject', { ...body, clientId }, 'project')).status).toBe(
        201,
      );
    });

    it.each([
      ['licenses of a project', 404, `/projects/${NOBODYS}/licenses`],
      ['a revocation', 404, `/licenses/${NOBODYS}/revoke`],
      ['a reissue', 404, `/licenses/${NOBODYS}/reissue`],
      ['a renewal', 404, `/licenses/${NOBODYS}/renew`],
      ['a password', 403, '/auth/password'],
    ])('is free for another request: %s', async (name, status, path) => {
      const body = {
        ...{ duration: 1, services: ['Domain'], currentPassword: `not ${PASSWORD}` },
        newPassword: 'nine loud kettles whistle',
      };
      expect((await post(path, body, name)).status).toBe(status);

      expect((await post('/clients', newClient(name.replaceAll(' ', '-')), name)).status).toBe(201);
    });
  });

  it('stores no license key, idempotency key or password in plain text', async () => {
    const client = await createClient(app, ada);
    const { license } = await createProject(app, ada, client._id);
    const { project } = license;
    const header = 'planted-idempotency-key';
    const added = await post(
      `/projects/${project}/licenses`,
      { duration: 1, services: ['Hosting'] },
      `${header}-1`,
    );
    const reissued = await post(`/licenses/${license._id}/reissue`, {}, `${header}-2`);
    const passwords = { currentPassword: PASSWORD, newPassword: 'nine loud kettles whistle' };
    const changed = await post('/auth/password', passwords, `${header}-3`);
    expect([added.status, reissued.status, changed.status]).toEqual([201, 201, 204]);
    const stored = await contentOf(app, engine);

    // The idempotency records are part of the content.
    expect(stored.split(String(reissued.body.license._id)).length).toBeGreaterThan(2);
    expect(stored).toContain('sealedKey');
    const keys: string[] = [license, added.body.license, reissued.body.license].map(({ key }) =>
      key.slice(-14),
    );
    for (const secret of [...keys, header, PASSWORD, passwords.newPassword]) {
      expect(stored.toLowerCase()).not.toContain(secret.toLowerCase());
    }
  });
});
