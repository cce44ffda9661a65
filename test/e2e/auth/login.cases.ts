import { AccountsService } from '../../../src/auth/accounts/accounts.service.js';
import { PasswordHasher } from '../../../src/auth/passwords/password-hasher.js';
import { SessionsRepository } from '../../../src/auth/sessions/sessions.repository.js';
import { DomainError } from '../../../src/shared/errors/domain-error.js';
import { ENGINES } from '../../engines.js';
import { rateLimitOf } from '../rate-limit.js';
import { useApp } from '../use-app.js';

const ADA = { name: 'Ada', email: 'ada@studio.example', password: 'seven quiet lanterns drift' };
const WRONG = { email: ADA.email, password: 'seven quiet lanterns drown' };
const NOBODY = { email: 'nobody@studio.example', password: ADA.password };

describe.each(ENGINES)('POST /auth/login on %s', (engine) => {
  const app = useApp(engine, {}, { argon2: true });

  beforeAll(async () => {
    await app.post('/auth/register', ADA);
  });
  afterEach(() => jest.restoreAllMocks());

  it('200 returns the account and the tokens of a new session', async () => {
    const { status, body } = await app.post('/auth/login', {
      ...ADA,
      email: ' ADA@studio.example ',
    });

    expect(status).toBe(200);
    expect(body).toEqual({
      message: 'Logged in successfully',
      user: expect.objectContaining({ name: 'Ada', email: 'ada@studio.example' }),
      accessToken: expect.any(String),
      tokenType: 'Bearer',
      expiresIn: 900,
      refreshToken: expect.stringMatching(/^[\w-]{44}$/),
    });
    expect(Object.keys(body.user)).toEqual(['_id', 'name', 'email', 'createdAt', 'updatedAt']);
  });

  it.each([
    ['no e-mail address', { password: ADA.password }, 'email'],
    ['an e-mail address that is an operator', { ...ADA, email: { $gt: '' } }, 'email'],
    ['no password', { email: ADA.email }, 'password'],
    ['an empty password', { ...ADA, password: '' }, 'password'],
    ['a password that is an operator', { ...ADA, password: { $ne: null } }, 'password'],
    ['a password of 129 characters', { ...ADA, password: 'x'.repeat(129) }, 'password'],
  ])('400 says "Validation error" for %s', async (_case, credentials, field) => {
    const { status, body } = await app.post('/auth/login', credentials);

    expect(status).toBe(400);
    expect(body).toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: { [field]: expect.anything() },
    });
  });

  it('S8: 401 has the same bytes for a wrong password and for an unknown account', async () => {
    const wrong = await app.post('/auth/login', WRONG);
    const unknown = await app.post('/auth/login', NOBODY);

    for (const { status, headers, body } of [wrong, unknown]) {
      expect(status).toBe(401);
      expect(body).toEqual({
        message: 'Invalid email or password',
        code: 'INVALID_CREDENTIALS',
        requestId: headers.get('x-request-id'),
      });
    }
    expect(Object.keys(unknown.body)).toEqual(Object.keys(wrong.body));
    expect([...unknown.headers.keys()]).toEqual([...wrong.headers.keys()]);
    expect(unknown.headers.get('content-length')).toBe(wrong.headers.get('content-length'));
  });

  it.each([
    ['the right password', ADA, 200],
    ['a wrong password', WRONG, 401],
    ['an unknown account', NOBODY, 401],
  ])('S8: verifies exactly one password for %s', async (_case, credentials, expected) => {
    const hasher = app.nest.get(PasswordHasher, { strict: false });
    const verify = jest.spyOn(hasher, 'verify');
    const hash = jest.spyOn(hasher, 'hash');
    const { status } = await app.post('/auth/login', credentials);

    expect(status).toBe(expected);
    expect(verify).toHaveBeenCalledTimes(1);
    expect(hash).not.toHaveBeenCalled();
  });

  it('S8: looks up the address once, whether or not the account exists', async () => {
    const lookup = jest.spyOn(
      app.nest.get(SessionsRepository, { strict: false }),
      'isKnownAddress',
    );
    for (const credentials of [ADA, WRONG, NOBODY]) await app.post('/auth/login', credentials);

    expect(lookup).toHaveBeenCalledTimes(3);
  });

  it('403 says that the account is disabled, only for the right password and after the same work', async () => {
    const bob = { ...ADA, email: 'bob@studio.example' };
    const { body: session } = await app.post('/auth/register', bob);
    await app.nest.get(AccountsService, { strict: false }).disable(bob.email);
    const verify = jest.spyOn(app.nest.get(PasswordHasher, { strict: false }), 'verify');
    const right = await app.post('/auth/login', bob);
    const wrong = await app.post('/auth/login', { ...WRONG, email: bob.email });

    expect(right.status).toBe(403);
    expect(right.body).toMatchObject({ message: 'Account is disabled', code: 'ACCOUNT_DISABLED' });
    expect(wrong.status).toBe(401);
    expect(wrong.body).toEqual({
      message: 'Invalid email or password',
      code: 'INVALID_CREDENTIALS',
      requestId: wrong.headers.get('x-request-id'),
    });
    expect(verify).toHaveBeenCalledTimes(2);
    expect((await app.post('/auth/refresh', session)).status).toBe(401);
    expect((await app.get('/auth/me', { token: session.accessToken })).status).toBe(200);
  });

  it('503 says when to try again while too many passwords wait', async () => {
    const hasher = app.nest.get(PasswordHasher, { strict: false });
    jest
      .spyOn(hasher, 'verify')
      .mockRejectedValue(new DomainError('OVERLOADED', {}, { retryAfter: 1 }));
    const { status, headers, body } = await app.post('/auth/login', ADA);

    expect(status).toBe(503);
    expect(headers.get('retry-after')).toBe('1');
    expect(body).toMatchObject({ message: 'Service unavailable', code: 'OVERLOADED' });
  });

  it('has no rate limit headers where the limit is 0', async () => {
    expect(rateLimitOf(await app.post('/auth/login', WRONG))).toEqual([null, null, null]);
  });
});

describe.each(ENGINES)('POST /auth/login, limited, on %s', (engine) => {
  const app = useApp(engine, { LOGIN_LIMIT: '2' });

  beforeAll(() => app.post('/auth/register', ADA));

  const login = (credentials: unknown, from: string) =>
    app.post('/auth/login', credentials, { from });

  it('rejects an address that has failed too often before the body is validated', async () => {
    const from = '192.0.2.1';
    const first = await login(WRONG, from);
    const second = await login(NOBODY, from);
    app.clock.advance({ seconds: 300 });
    const right = await login(ADA, from);
    const malformed = await app.send('POST', '/auth/login', '{', { from });

    expect([first.status, second.status]).toEqual([401, 401]);
    expect(rateLimitOf(first)).toEqual(['2', '1', '900']);
    expect(rateLimitOf(second)).toEqual(['2', '0', '900']);
    for (const rejected of [right, malformed]) {
      expect(rejected.status).toBe(429);
      expect(rejected.body).toMatchObject({ code: 'TOO_MANY_REQUESTS' });
      expect(rejected.headers.get('retry-after')).toBe('600');
      expect(rateLimitOf(rejected)).toEqual(['2', '0', '600']);
    }
    expect((await login(ADA, '192.0.2.2')).status).toBe(200);
    app.clock.advance({ seconds: 600 });
    expect((await login(ADA, from)).status).toBe(200);
  });

  it('counts neither successful logins nor malformed bodies', async () => {
    const from = '192.0.2.3';
    await login(WRONG, from);
    for (const body of ['{', '[]', '{}', '{"email":5,"password":5}']) {
      expect((await app.send('POST', '/auth/login', body, { from })).status).toBe(400);
    }
    await login(ADA, from);
    const last = await login(ADA, from);

    expect(last.status).toBe(200);
    expect(rateLimitOf(last)).toEqual(['2', '1', '900']);
  });

  it('counts IPv6 addresses by their /64', async () => {
    await login(WRONG, '2001:db8::1');
    await login(WRONG, '2001:db8::2');

    expect((await login(ADA, '2001:db8::3')).status).toBe(429);
    expect((await login(ADA, '2001:db8:0:1::1')).status).toBe(200);
  });
});
