import { PasswordHasher } from '../../../src/auth/passwords/password-hasher.js';
import { TestApp } from '../../app.js';
import { ENGINES } from '../../engines.js';
import { atOnce, statusesOf } from '../at-once.js';
import { claimsOf } from '../developer.js';
import { useApp } from '../use-app.js';

const ADA = { name: 'Ada', email: 'ada@studio.example', password: 'seven quiet lanterns drift' };

describe.each(ENGINES)('POST /auth/register on %s', (engine) => {
  const app = useApp(engine);

  describe('201', () => {
    it('returns the account and the tokens of its first session', async () => {
      const { status, body } = await app.post('/auth/register', ADA);

      expect(status).toBe(201);
      expect(body).toEqual({
        message: 'User registered successfully',
        user: {
          _id: expect.stringMatching(/^[0-9a-f]{24}$/),
          name: 'Ada',
          email: 'ada@studio.example',
          createdAt: '2026-01-31T10:15:00.000Z',
          updatedAt: '2026-01-31T10:15:00.000Z',
        },
        accessToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
        tokenType: 'Bearer',
        expiresIn: 900,
        refreshToken: expect.stringMatching(/^[\w-]{44}$/),
      });
      const { status: known } = await app.get('/auth/me', { token: body.accessToken });
      expect(known).toBe(200);
    });

    it('is open, as GET /auth/registration says, however many accounts there are', async () => {
      expect((await app.get('/auth/registration')).body).toEqual({ open: true });
    });

    it('puts the documented claims into the access token, and no others', async () => {
      const { body } = await app.post('/auth/register', { ...ADA, email: 'claims@studio.example' });
      const now = app.clock.now().getTime() / 1000;

      expect(claimsOf(body.accessToken)).toEqual({
        sub: body.user._id,
        sid: expect.stringMatching(/^[0-9a-f]{24}$/),
        typ: 'access',
        iss: 'license-management-service',
        aud: 'license-management-service-api',
        iat: now,
        exp: now + 900,
      });
    });

    it('stores the name trimmed, and the e-mail address trimmed and in lower case', async () => {
      const { body } = await app.post('/auth/register', {
        ...ADA,
        name: '  Ada  ',
        email: '  Trim@Studio.EXAMPLE ',
      });

      expect(body.user).toMatchObject({ name: 'Ada', email: 'trim@studio.example' });
    });
  });

  describe('400', () => {
    it.each([
      ['no name', { name: undefined }, 'name'],
      ['an empty name', { name: '  ' }, 'name'],
      ['a name of 201 characters', { name: 'x'.repeat(201) }, 'name'],
      ['a name that is a number', { name: 5 }, 'name'],
      ['no e-mail address', { email: undefined }, 'email'],
      ['a wrong e-mail address', { email: 'nobody' }, 'email'],
      ['an e-mail address that is an operator', { email: { $ne: null } }, 'email'],
      ['no password', { password: undefined }, 'password'],
      ['a password of 11 characters', { password: 'zkqvbnxwjrt' }, 'password'],
      ['a password of 129 characters', { password: 'x'.repeat(129) }, 'password'],
      ['a password that is a list', { password: ['seven quiet lanterns drift'] }, 'password'],
      ['a common password', { password: 'password12345' }, 'password'],
      ['a repetition', { password: 'zzzzzzzzzzzz' }, 'password'],
      ['the e-mail address as password', { password: 'V@studio.example' }, 'password'],
    ])('says "Validation error" with reasons for %s', async (_case, wrong, field) => {
      const response = await app.post('/auth/register', {
        ...ADA,
        email: 'v@studio.example',
        ...wrong,
      });

      expect(response.status).toBe(400);
      expect(response.body).toMatchObject({
        message: 'Validation error',
        code: 'VALIDATION_ERROR',
        errors: { [field]: expect.arrayContaining([expect.stringContaining(field)]) },
        details: expect.stringMatching(new RegExp(`^${field} .*\\.$`)),
      });
    });

    it('gives the reasons for every field at once', async () => {
      const { body } = await app.post('/auth/register', { password: 'dragon' });

      expect(Object.keys(body.errors)).toEqual(['name', 'email', 'password']);
    });
  });

  describe('409', () => {
    it('rejects an e-mail address that an account has, in any case', async () => {
      await app.post('/auth/register', { ...ADA, email: 'taken@studio.example' });
      const response = await app.post('/auth/register', { ...ADA, email: 'TAKEN@studio.example' });

      expect(response.status).toBe(409);
      expect(response.body).toEqual({
        message: 'Email already registered',
        code: 'EMAIL_ALREADY_REGISTERED',
        field: 'email',
        requestId: response.headers.get('x-request-id'),
      });
    });

    it('hashes no password for a request that it rejects', async () => {
      const email = 'known@studio.example';
      await app.post('/auth/register', { ...ADA, email });
      const hash = jest.spyOn(app.nest.get(PasswordHasher, { strict: false }), 'hash');
      await app.post('/auth/register', { ...ADA, email });
      await app.post('/auth/register', { ...ADA, email: 'new@studio.example', name: '' });

      expect(hash).not.toHaveBeenCalled();
      hash.mockRestore();
    });

    it('creates exactly one account for 20 concurrent requests', async () => {
      const race = { ...ADA, email: 'race@studio.example' };
      const responses = await atOnce(20, () => app.post('/auth/register', race));

      expect(statusesOf(responses).sort()).toEqual([201, ...Array(19).fill(409)]);
    });
  });
});

describe.each(ENGINES)('POST /auth/register, limited, on %s', (engine) => {
  const app = useApp(engine, { REGISTER_LIMIT: '2' });

  it('allows an address two requests in an hour, and counts malformed ones', async () => {
    const from = '192.0.2.1';
    const malformed = await app.send('POST', '/auth/register', '{', { from });
    const second = await app.post('/auth/register', ADA, { from });
    app.clock.advance({ seconds: 60 });
    const third = await app.post('/auth/register', {}, { from });
    const elsewhere = await app.post('/auth/register', {}, { from: '192.0.2.2' });

    expect(statusesOf([malformed, second, third, elsewhere])).toEqual([400, 201, 429, 400]);
    expect(second.headers.get('x-ratelimit-remaining')).toBe('0');
    expect(third.body).toMatchObject({ code: 'TOO_MANY_REQUESTS' });
    expect(third.headers.get('retry-after')).toBe('3540');
  });
});

describe.each(ENGINES)('POST /auth/register, closed, on %s', (engine) => {
  const app = useApp(engine, { REGISTRATION: 'closed' });

  it('rejects every body with 403, and creates no account', async () => {
    const response = await app.post('/auth/register', ADA);

    expect(response.status).toBe(403);
    expect(response.body).toMatchObject({
      message: 'Registration is closed',
      code: 'REGISTRATION_CLOSED',
    });
    expect((await app.send('POST', '/auth/register', '{')).status).toBe(403);
    expect((await app.post('/auth/login', ADA)).status).toBe(401);
    expect((await app.get('/auth/registration')).body).toEqual({ open: false });
  });
});

describe.each(ENGINES)('POST /auth/register, for the first account alone, on %s', (engine) => {
  let app: TestApp;

  beforeEach(async () => {
    app = await TestApp.start(engine, { REGISTRATION: 'first' });
  });
  afterEach(() => app.stop());

  it('creates the first account, and is closed from then on whatever the body', async () => {
    const bob = { ...ADA, email: 'bob@studio.example' };
    const isOpen = async () => (await app.get('/auth/registration')).body;
    expect((await app.post('/auth/register', { ...ADA, password: 'short' })).status).toBe(400);
    expect(await isOpen()).toEqual({ open: true });
    expect((await app.post('/auth/register', ADA)).status).toBe(201);
    expect(await isOpen()).toEqual({ open: false });
    for (const body of [ADA, bob, {}]) {
      const response = await app.post('/auth/register', body);
      expect(response.status).toBe(403);
      expect(response.body).toMatchObject({ code: 'REGISTRATION_CLOSED' });
    }
    expect((await app.send('POST', '/auth/register', '{')).status).toBe(403);
    expect((await app.post('/auth/login', ADA)).status).toBe(200);
    expect((await app.post('/auth/login', bob)).status).toBe(401);
  });

  it('creates exactly one account for 20 concurrent requests', async () => {
    const responses = await atOnce(20, (i) =>
      app.post('/auth/register', { ...ADA, email: `${i % 10}@studio.example` }),
    );

    expect(statusesOf(responses).sort()).toEqual([201, ...Array(19).fill(403)]);
  });
});
