import { TestApp } from '../../app.js';
import { ENGINES } from '../../engines.js';
import { type Developer, registerDeveloper } from '../developer.js';

describe.each(ENGINES)('POST /clients on %s', (engine) => {
  let app: TestApp;
  let ada: Developer;
  let token: string;

  beforeAll(async () => {
    app = await TestApp.start(engine);
    ada = await registerDeveloper(app);
    token = ada.token;
  });
  afterAll(() => app.stop());

  describe('201', () => {
    it('returns the new client, owned by the authenticated user', async () => {
      const response = await app.post(
        '/clients',
        { name: 'Acme', email: 'a@acme.example' },
        { token },
      );

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
        { token },
      );

      expect(body.client).toMatchObject({ name: 'Acme & Söhne', email: 'office@acme-two.example' });
    });

    it('drops fields that it does not know, those that are stored included', async () => {
      const foreign = { _id: '000000000000000000000001', owner: '000000000000000000000002' };
      const response = await app.post(
        '/clients',
        {
          name: 'Acme',
          email: 'drop@acme.example',
          ...foreign,
          createdAt: 0,
          projectsCount: 9,
          x: 1,
        },
        { token },
      );

      expect(response.status).toBe(201);
      expect(response.body.client._id).not.toBe(foreign._id);
      expect(response.body.client.owner).toBe(ada._id);
      expect(response.body.client).not.toHaveProperty('projectsCount');
    });

    it('accepts a name of 200 characters', async () => {
      const name = 'ä'.repeat(200);
      const { body } = await app.post('/clients', { name, email: '200@acme.example' }, { token });

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
      const response = await app.post('/clients', { email: 'n@acme.example', ...body }, { token });

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
      const response = await app.post('/clients', { name: 'Acme', ...body }, { token });

      expect(response.status).toBe(400);
      expect(response.body).toMatchObject({ message: 'Client email required' });
    });

    it('asks for the name first where both are missing', async () => {
      const { body } = await app.post('/clients', {}, { token });

      expect(body.message).toBe('Client name required');
    });

    it('asks for a missing e-mail address before it rejects the name', async () => {
      const { body } = await app.post('/clients', { name: 'x'.repeat(201) }, { token });

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
        { token },
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

  describe('401', () => {
    it.each([
      ['no token', {}],
      ['another scheme', { Authorization: 'Basic YWRhOmFkYQ==' }],
      ['a token that is none', { Authorization: 'Bearer nonsense' }],
    ])('says "Unauthorized" to %s, whatever the body', async (_case, headers) => {
      const response = await app.send('POST', '/clients', '{', { headers });

      expect(response.status).toBe(401);
      expect(response.body).toMatchObject({ message: 'Unauthorized', code: 'UNAUTHORIZED' });
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
    });
  });

  describe('409', () => {
    it('rejects an e-mail address that a client has, in any case', async () => {
      await app.post('/clients', { name: 'One', email: 'taken@acme.example' }, { token });
      const response = await app.post(
        '/clients',
        { name: 'Two', email: 'TAKEN@acme.example' },
        { token },
      );

      expect(response.status).toBe(409);
      expect(response.body).toMatchObject({
        message: 'Client with this email already exists',
        code: 'CLIENT_EMAIL_TAKEN',
        field: 'email',
      });
    });

    it('rejects it across users: it is unique across clients', async () => {
      const bob = await registerDeveloper(app);
      await app.post('/clients', { name: 'One', email: 'shared@acme.example' }, { token });
      const response = await app.post(
        '/clients',
        { name: 'Two', email: 'shared@acme.example' },
        { token: bob.token },
      );

      expect(response.status).toBe(409);
    });

    it('makes exactly one of 20 that come at once', async () => {
      const responses = await Promise.all(
        Array.from({ length: 20 }, () =>
          app.post('/clients', { name: 'Race', email: 'race@acme.example' }, { token }),
        ),
      );

      expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)]);
    });
  });
});
