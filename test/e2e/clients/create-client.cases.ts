import { ENGINES } from '../../engines.js';
import { atOnce, statusesOf } from '../at-once.js';
import { registerDeveloper } from '../developer.js';
import { useApp, useDeveloper } from '../use-app.js';

describe.each(ENGINES)('POST /clients on %s', (engine) => {
  const app = useApp(engine);
  const ada = useDeveloper(app);

  describe('201', () => {
    it('returns the new client, owned by the authenticated user', async () => {
      const response = await app.post('/clients', { name: 'Acme', email: 'a@acme.example' }, ada);

      expect(response.status).toBe(201);
      expect(response.body).toEqual({
        message: 'Client created successfully',
        client: {
          _id: expect.stringMatching(/^[0-9a-f]{24}$/),
          name: 'Acme',
          email: 'a@acme.example',
          owner: ada._id,
          createdAt: '2026-01-31T10:15:00.000Z',
          updatedAt: '2026-01-31T10:15:00.000Z',
        },
      });
    });

    it('stores the name trimmed, and the e-mail address trimmed and in lower case', async () => {
      const { body } = await app.post(
        '/clients',
        { name: '  Acme & Söhne  ', email: '  Office@ACME-Two.Example ' },
        ada,
      );

      expect(body.client).toMatchObject({ name: 'Acme & Söhne', email: 'office@acme-two.example' });
    });

    it('accepts a name of 200 characters', async () => {
      const name = 'ä'.repeat(200);
      const { body } = await app.post('/clients', { name, email: '200@acme.example' }, ada);

      expect(body.client.name).toBe(name);
    });
  });

  describe('400', () => {
    it.each([
      ['absent', {}],
      ['null', { name: null }],
      ['empty', { name: '' }],
      ['blank', { name: '   ' }],
    ])('says "Client name required" where it is %s', async (_case, body) => {
      const response = await app.post('/clients', { email: 'n@acme.example', ...body }, ada);

      expect(response.status).toBe(400);
      expect(response.body).toEqual({
        message: 'Client name required',
        code: 'CLIENT_NAME_REQUIRED',
        requestId: response.headers.get('x-request-id'),
      });
    });

    it.each([
      ['absent', {}],
      ['null', { email: null }],
      ['blank', { email: ' ' }],
    ])('says "Client email required" where it is %s', async (_case, body) => {
      const response = await app.post('/clients', { name: 'Acme', ...body }, ada);

      expect(response.status).toBe(400);
      expect(response.body).toMatchObject({ message: 'Client email required' });
    });

    it('asks for the name first where both are missing', async () => {
      const { body } = await app.post('/clients', {}, ada);

      expect(body.message).toBe('Client name required');
    });

    it('asks for a missing e-mail address before it rejects the name', async () => {
      const { body } = await app.post('/clients', { name: 'x'.repeat(201) }, ada);

      expect(body.message).toBe('Client email required');
    });

    it.each([
      ['a wrong e-mail address', { email: 'not an address' }, 'email'],
      ['an e-mail address that is a number', { email: 5 }, 'email'],
      ['an e-mail address that is an operator', { email: { $ne: null } }, 'email'],
      ['an e-mail address of 255 characters', { email: `${'a'.repeat(246)}@acme.test` }, 'email'],
      ['a name of 201 characters', { name: 'x'.repeat(201) }, 'name'],
      ['a name that is a number', { name: 5 }, 'name'],
      ['a name that is an array', { name: ['Acme'] }, 'name'],
      ['a name with a NUL', { name: 'Ac\u0000me' }, 'name'],
    ])('says "Validation error" with reasons for %s', async (_case, wrong, field) => {
      const response = await app.post(
        '/clients',
        { name: 'Acme', email: 'v@acme.example', ...wrong },
        ada,
      );

      expect(response.status).toBe(400);
      expect(response.body).toMatchObject({
        message: 'Validation error',
        code: 'VALIDATION_ERROR',
        errors: { [field]: expect.arrayContaining([expect.any(String)]) },
        details: expect.stringMatching(new RegExp(`^${field} .*\\.$`)),
      });
    });
  });

  describe('409', () => {
    it('rejects an e-mail address that a client has, of the same or another user, in any case', async () => {
      const bob = await registerDeveloper(app);
      await app.post('/clients', { name: 'One', email: 'taken@acme.example' }, ada);
      for (const user of [ada, bob]) {
        const body = { name: 'Two', email: 'TAKEN@acme.example' };
        const response = await app.post('/clients', body, user);

        expect(response.status).toBe(409);
        expect(response.body).toMatchObject({
          message: 'Client with this email already exists',
          code: 'CLIENT_EMAIL_TAKEN',
          field: 'email',
        });
      }
    });

    it('creates exactly one client for 20 concurrent requests', async () => {
      const body = { name: 'Race', email: 'race@acme.example' };
      const responses = await atOnce(20, () => app.post('/clients', body, ada));

      expect(statusesOf(responses).sort()).toEqual([201, ...Array(19).fill(409)]);
    });
  });
});
