import { PasswordHasher } from '../../../src/auth/passwords/password-hasher.js';
import { LOGIN_ADDRESSES } from '../../../src/auth/sessions/session.js';
import { Store } from '../../../src/storage/store.js';
import { START } from '../../fake-clock.js';
import { claimsOf } from '../developer.js';
import { expectError, expectInvalid, expectResponse } from '../expect-response.js';
import { rateLimitOf, visible } from '../rate-limit.js';
import { useApp } from '../use-app.js';

const ADA = {
  name: 'Ada',
  email: 'register@studio.example',
  password: 'seven quiet lanterns drift',
};

// The limits have their cases in test/e2e/security/login-guessing.cases.ts.
describe('POST /auth/register and /auth/login', () => {
  const app = useApp();
  const spyOnHasher = (method: 'hash' | 'verify') =>
    jest.spyOn(app.nest.get(PasswordHasher, { strict: false }), method);

  afterEach(() => jest.restoreAllMocks());

  const register = (changes: object = {}) => app.post('/auth/register', { ...ADA, ...changes });

  it('201, 200: return the account and the tokens of a session, with the documented claims alone, without headers of a limit that is off', async () => {
    const { status, body } = await register({ name: ' Ada ', email: ' Register@Studio.EXAMPLE ' });

    const session = {
      user: {
        ...{ _id: expect.stringMatching(/^[0-9a-f]{24}$/), name: 'Ada', email: ADA.email },
        ...{ role: 'owner', account: body.user._id },
        ...{ createdAt: START, updatedAt: START },
      },
      ...{ accessToken: expect.any(String), tokenType: 'Bearer', expiresIn: 900 },
      refreshToken: expect.stringMatching(/^[\w-]{44}$/),
    };
    expectResponse({ status, body }, 201, { message: 'User registered successfully', ...session });
    const login = await app.post('/auth/login', { ...ADA, email: ' REGISTER@studio.example ' });
    expectResponse(login, 200, { message: 'Logged in successfully', ...session });
    expect(rateLimitOf(login)).toEqual([null, null, null]);
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
    const hash = spyOnHasher('hash');
    const response = await register({ email: 'TAKEN@studio.example' });

    expectError(response, [409, 'EMAIL_ALREADY_REGISTERED'], { field: 'email' });
    expect((await register({ email: 'new@studio.example', name: '' })).status).toBe(400);
    expect(hash).not.toHaveBeenCalled();
  });

  it('S8: has the same bytes for a wrong password and an unknown account, after exactly one verification and one look-up', async () => {
    await register({ email: 'login@studio.example' });
    const logIn = (changes: object) =>
      app.post('/auth/login', { ...ADA, email: 'login@studio.example', ...changes });
    const verify = spyOnHasher('verify');
    const hash = spyOnHasher('hash');
    const find = jest.spyOn(app.nest.get(Store), 'find');
    const [wrong, unknown] = [
      await logIn({ password: 'seven quiet lanterns drown' }),
      await logIn({ email: 'nobdy@studio.example' }),
    ];

    expectError(wrong, [401, 'INVALID_CREDENTIALS']);
    expect(visible(unknown)).toEqual(visible(wrong));
    expect(verify).toHaveBeenCalledTimes(2);
    const lookUps = find.mock.calls.filter(([collection]) => collection === LOGIN_ADDRESSES);
    expect(lookUps).toHaveLength(2);
    await logIn({});
    expect(verify).toHaveBeenCalledTimes(3);
    expect(hash).not.toHaveBeenCalled();
  });
});

describe.each(['closed', 'first'])('REGISTRATION=%s', (registration) => {
  const app = useApp({ REGISTRATION: registration });

  it('rejects every body with 403, and creates no account, from the beginning or after the first; who is invited can join', async () => {
    const open = registration === 'first';
    expect((await app.get('/auth/registration')).body).toEqual({ open });
    if (open) {
      expect((await app.post('/auth/register', { ...ADA, password: 'short' })).status).toBe(400);
      const { status, body } = await app.post('/auth/register', ADA);
      expect(status).toBe(201);
      const { invitation } = (await app.invite({ token: body.accessToken })).body;
      expect((await app.accept(invitation)).status).toBe(201);
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
