import { AccountsService } from '../../../src/auth/accounts/accounts.service.js';
import { PasswordHasher } from '../../../src/auth/passwords/password-hasher.js';
import { LOGIN_ADDRESSES } from '../../../src/auth/sessions/session.js';
import { DomainError } from '../../../src/shared/errors/domain-error.js';
import { Store } from '../../../src/storage/store.js';
import { expectError, expectInvalid, expectResponse } from '../expect-response.js';
import { rateLimitOf } from '../rate-limit.js';
import { useApp } from '../use-app.js';

const ADA = { name: 'Ada', email: 'ada@studio.example', password: 'seven quiet lanterns drift' };
const WRONG = { email: ADA.email, password: 'seven quiet lanterns drown' };
const NOBODY = { email: 'nobody@studio.example', password: ADA.password };
const INVALID = [401, 'INVALID_CREDENTIALS'] as const;

describe('POST /auth/login', () => {
  const app = useApp();
  const hasher = () => app.nest.get(PasswordHasher, { strict: false });

  beforeAll(() => app.post('/auth/register', ADA));
  afterEach(() => jest.restoreAllMocks());

  it('200: returns the account and the tokens of a new session, without headers of a limit that is off', async () => {
    const response = await app.post('/auth/login', { ...ADA, email: ' ADA@studio.example ' });

    expectResponse(response, 200, {
      message: 'Logged in successfully',
      user: {
        ...{ _id: expect.any(String), name: 'Ada', email: 'ada@studio.example' },
        ...{ createdAt: expect.any(String), updatedAt: expect.any(String) },
      },
      ...{ accessToken: expect.any(String), tokenType: 'Bearer', expiresIn: 900 },
      refreshToken: expect.stringMatching(/^[\w-]{44}$/),
    });
    expect(rateLimitOf(response)).toEqual([null, null, null]);
  });

  it.each([
    ['email', undefined],
    ['email', { $gt: '' }],
    ['password', ''],
    ['password', 'x'.repeat(129)],
  ])('400: names `%s` where it is %j', async (field, value) => {
    expectInvalid(await app.post('/auth/login', { ...ADA, [field]: value }), field);
  });

  it('S8: 401 has the same bytes for a wrong password and for an unknown account', async () => {
    const wrong = await app.post('/auth/login', WRONG);
    const unknown = await app.post('/auth/login', NOBODY);

    for (const response of [wrong, unknown]) {
      expectError(response, INVALID, { message: 'Invalid email or password' });
    }
    expect(Object.keys(unknown.body)).toEqual(Object.keys(wrong.body));
    expect([...unknown.headers.keys()]).toEqual([...wrong.headers.keys()]);
    expect(unknown.headers.get('content-length')).toBe(wrong.headers.get('content-length'));
  });

  it('S8: verifies exactly one password, and looks up the address once, whether or not the account exists', async () => {
    const verify = jest.spyOn(hasher(), 'verify');
    const hash = jest.spyOn(hasher(), 'hash');
    const find = jest.spyOn(app.nest.get(Store), 'find');
    for (const [credentials, status] of [
      [ADA, 200],
      [WRONG, 401],
      [NOBODY, 401],
    ] as const) {
      jest.clearAllMocks();
      expect((await app.post('/auth/login', credentials)).status).toBe(status);
      expect(verify).toHaveBeenCalledTimes(1);
      expect(hash).not.toHaveBeenCalled();
      const collections = find.mock.calls.map(([collection]) => collection);
      const lookUps = collections.filter((one) => one === LOGIN_ADDRESSES);
      if (status === 401) expect(lookUps).toHaveLength(1);
    }
  });

  it('403: says that the account is disabled, only for the right password and after the same work', async () => {
    const bob = { ...ADA, email: 'bob@studio.example' };
    const { body: session } = await app.post('/auth/register', bob);
    await app.nest.get(AccountsService, { strict: false }).disable(bob.email);
    const verify = jest.spyOn(hasher(), 'verify');

    expectError(await app.post('/auth/login', bob), [403, 'ACCOUNT_DISABLED'], {
      message: 'Account is disabled',
    });
    expectError(await app.post('/auth/login', { ...WRONG, email: bob.email }), INVALID);
    expect(verify).toHaveBeenCalledTimes(2);
    expect((await app.post('/auth/refresh', session)).status).toBe(401);
    expect((await app.get('/auth/me', { token: session.accessToken })).status).toBe(200);
  });

  it('503: says when to try again while too many passwords wait', async () => {
    const overloaded = new DomainError('OVERLOADED', {}, { retryAfter: 1 });
    jest.spyOn(hasher(), 'verify').mockRejectedValue(overloaded);
    const response = await app.post('/auth/login', ADA);

    expectError(response, [503, 'OVERLOADED'], { message: 'Service unavailable' });
    expect(response.headers.get('retry-after')).toBe('1');
  });
});

describe('POST /auth/login, limited', () => {
  const app = useApp({ LOGIN_LIMIT: '2' });

  beforeAll(() => app.post('/auth/register', ADA));

  const login = (credentials: unknown, from: string) =>
    app.post('/auth/login', credentials, { from });

  it('rejects an address that has failed too often before the body is validated', async () => {
    const from = '192.0.2.1';
    const failures = [await login(WRONG, from), await login(NOBODY, from)];
    app.clock.advance({ seconds: 300 });
    const rejections = [
      await login(ADA, from),
      await app.send('POST', '/auth/login', '{', { from }),
    ];

    expect(failures.map(rateLimitOf)).toEqual([
      ['2', '1', '900'],
      ['2', '0', '900'],
    ]);
    for (const rejected of rejections) {
      expectError(rejected, [429, 'TOO_MANY_REQUESTS']);
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
    for (const body of ['{', '{}', '{"email":5,"password":5}']) {
      expect((await app.send('POST', '/auth/login', body, { from })).status).toBe(400);
    }
    await login(ADA, from);

    expect(rateLimitOf(await login(ADA, from))).toEqual(['2', '1', '900']);
  });
});
