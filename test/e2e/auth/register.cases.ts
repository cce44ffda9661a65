import { PasswordHasher } from '../../../src/auth/passwords/password-hasher.js';
import { START } from '../../fake-clock.js';
import { claimsOf } from '../developer.js';
import { expectError, expectInvalid, expectResponse } from '../expect-response.js';
import { useApp } from '../use-app.js';

const ADA = {
  name: 'Ada',
  email: 'register@studio.example',
  password: 'seven quiet lanterns drift',
};

describe('POST /auth/register', () => {
  const app = useApp();

  const register = (changes: object = {}) => app.post('/auth/register', { ...ADA, ...changes });

  it('201: returns the account and the tokens of its first session, with the documented claims alone', async () => {
    const { status, body } = await register({ name: ' Ada ', email: ' Register@Studio.EXAMPLE ' });

    expectResponse({ status, body }, 201, {
      message: 'User registered successfully',
      user: {
        ...{ _id: expect.stringMatching(/^[0-9a-f]{24}$/), name: 'Ada', email: ADA.email },
        ...{ role: 'owner', account: body.user._id },
        ...{ createdAt: START, updatedAt: START },
      },
      ...{ accessToken: expect.any(String), tokenType: 'Bearer', expiresIn: 900 },
      refreshToken: expect.stringMatching(/^[\w-]{44}$/),
    });
    const now = app.clock.now().getTime() / 1000;
    expect(claimsOf(body.accessToken)).toEqual({
      ...{ sub: body.user._id, acc: body.user._id },
      ...{ sid: expect.stringMatching(/^[0-9a-f]{24}$/), typ: 'access' },
      ...{ iss: 'license-management-service', aud: 'license-management-service-api' },
      ...{ iat: now, exp: now + 900 },
    });
    const me = await app.get('/auth/me', { token: body.accessToken });
    expectResponse(me, 200, body.user);
    expect((await app.get('/auth/registration')).body).toEqual({ open: true });
  });

  // Every form of a field has its case in src/shared/fields, and of a password in src/auth/passwords.
  it.each([
    ['email', 'nobody'],
    ['password', 'V@studio.example'],
  ])('400: gives reasons for `%s` where it is %j', async (field, value) => {
    const response = await register({ email: 'v@studio.example', [field]: value });

    expectInvalid(response, field);
    expect(response.body.errors[field]).toContainEqual(expect.stringContaining(field));
    expect(response.body.details).toMatch(new RegExp(`^${field} .*\\.$`));
  });

  it('409: rejects an address that an account has, in any case, and hashes no password for it', async () => {
    await register({ email: 'taken@studio.example' });
    const hash = jest.spyOn(app.nest.get(PasswordHasher, { strict: false }), 'hash');
    const response = await register({ email: 'TAKEN@studio.example' });

    expectError(response, [409, 'EMAIL_ALREADY_REGISTERED'], { field: 'email' });
    expect((await register({ email: 'new@studio.example', name: '' })).status).toBe(400);
    expect(hash).not.toHaveBeenCalled();
    hash.mockRestore();
  });
});

describe.each(['closed', 'first'])('REGISTRATION=%s', (registration) => {
  const app = useApp({ REGISTRATION: registration });

  it('rejects every body with 403, and creates no account: from the beginning, or after the first', async () => {
    const open = registration === 'first';
    expect((await app.get('/auth/registration')).body).toEqual({ open });
    if (open) {
      expect((await app.post('/auth/register', { ...ADA, password: 'short' })).status).toBe(400);
      expect((await app.post('/auth/register', ADA)).status).toBe(201);
    }
    const bob = { ...ADA, email: 'bob@studio.example' };
    for (const body of [JSON.stringify(bob), JSON.stringify(ADA), '{}', '{']) {
      expectError(await app.send('POST', '/auth/register', body), [403, 'REGISTRATION_CLOSED']);
    }
    expect((await app.get('/auth/registration')).body).toEqual({ open: false });
    expect((await app.post('/auth/login', ADA)).status).toBe(open ? 200 : 401);
    expect((await app.post('/auth/login', bob)).status).toBe(401);
  });
});
