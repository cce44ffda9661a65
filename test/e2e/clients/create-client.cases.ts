import { createClient, registerDeveloper } from '../developer.js';
import { expectError, expectResponse } from '../expect-response.js';
import { useApp, useDeveloper } from '../use-app.js';

describe('POST /clients', () => {
  const app = useApp();
  const ada = useDeveloper(app);

  const create = (changes: object) =>
    app.post('/clients', { name: 'Acme', email: 'v@acme.example', ...changes }, ada);

  it('201: returns the new client of the authenticated user, trimmed, its address in lower case', async () => {
    const response = await create({ name: ' Acme & Söhne ', email: ' Office@ACME.Example ' });

    expectResponse(response, 201, {
      message: 'Client created successfully',
      client: {
        _id: expect.stringMatching(/^[0-9a-f]{24}$/),
        name: 'Acme & Söhne',
        email: 'office@acme.example',
        owner: ada._id,
        createdAt: '2026-01-31T10:15:00.000Z',
        updatedAt: '2026-01-31T10:15:00.000Z',
      },
    });
  });

  it.each([
    [{ name: undefined }, 'Client name required', 'CLIENT_NAME_REQUIRED'],
    [{ name: ' ' }, 'Client name required', 'CLIENT_NAME_REQUIRED'],
    [{ email: null }, 'Client email required', 'CLIENT_EMAIL_REQUIRED'],
  ])('400: for %j, says "%s"', async (changes, message, code) => {
    expectError(await create(changes), [400, code], { message });
  });

  it('400: requires the name first, then the address, and then rejects wrong values', async () => {
    const messageOf = async (changes: object) => (await create(changes)).body.message;

    expect(await messageOf({ name: '', email: '' })).toBe('Client name required');
    expect(await messageOf({ name: 'x'.repeat(201), email: '' })).toBe('Client email required');
    expect(await messageOf({ name: 'x'.repeat(201) })).toBe('Validation error');
  });

  it.each([
    ['email', 'not an address'],
    ['email', `${'a'.repeat(246)}@acme.test`],
    ['name', 'x'.repeat(201)],
    ['name', 'Ac\u0000me'],
  ])('400: gives reasons for `%s` where it is %j', async (field, value) => {
    expectError(await create({ [field]: value }), [400, 'VALIDATION_ERROR'], {
      message: 'Validation error',
      errors: { [field]: expect.arrayContaining([expect.any(String)]) },
      details: expect.stringMatching(new RegExp(`^${field} .*\\.$`)),
    });
  });

  it('409: rejects an address that a client has, of the same or another user, in any case', async () => {
    const { email } = await createClient(app, await registerDeveloper(app));
    await createClient(app, ada, { email: 'taken@acme.example' });

    for (const taken of [email, 'TAKEN@acme.example']) {
      expectError(await create({ email: taken }), [409, 'CLIENT_EMAIL_TAKEN'], {
        message: 'Client with this email already exists',
        field: 'email',
      });
    }
  });
});
