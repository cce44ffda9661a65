import { randomUUID } from 'node:crypto';
import { AccessTokenService } from '../../../src/auth/access-tokens/access-token.service.js';
import { PasswordHasher } from '../../../src/auth/passwords/password-hasher.js';
import { DomainError } from '../../../src/shared/errors/domain-error.js';
import { newAccountId } from '../../../src/shared/ids/account-id.js';
import { newObjectId } from '../../../src/shared/ids/object-id.js';
import { atOnce, statusesOf } from '../at-once.js';
import { expectError, expectInvalid, expectResponse } from '../expect-response.js';
import { useApp } from '../use-app.js';
import { accountOn, NEW_PASSWORD, OLD_PASSWORD } from './account.js';

const WRONG_PASSWORD = 'seven quiet lanterns drown';
const THIRD_PASSWORD = 'four green anchors rest';

const aKey = () => ({ 'Idempotency-Key': randomUUID() });

describe('POST /auth/password', () => {
  const app = useApp({ LOGIN_LIMIT: '2' });
  const spyOnHasher = (method: 'hash' | 'verify') =>
    jest.spyOn(app.nest.get(PasswordHasher, { strict: false }), method);

  afterEach(() => jest.restoreAllMocks());

  it('204: from then on the new password alone is right, and every session but the caller’s has ended', async () => {
    const [account, stranger] = [await accountOn(app), await accountOn(app)];
    const other = await account.logIn(OLD_PASSWORD);
    app.clock.advance({ seconds: 60 });
    const { status, body } = await account.change();

    expectResponse({ status, body }, 204, undefined);
    expect((await account.logIn(OLD_PASSWORD)).status).toBe(401);
    expect((await account.logIn(NEW_PASSWORD)).status).toBe(200);
    expect((await app.post('/auth/refresh', other.body)).status).toBe(401);
    expect((await app.post('/auth/refresh', account)).status).toBe(200);
    expect((await app.post('/auth/refresh', stranger)).status).toBe(200);
    const me = (await app.get('/auth/me', { token: account.token })).body;
    expect(me.updatedAt).toBe(app.clock.now().toISOString());
    const back = { currentPassword: NEW_PASSWORD, newPassword: OLD_PASSWORD };
    expect((await account.change(back)).status).toBe(204);
  });

  it.each([
    ['currentPassword', undefined],
    ['currentPassword', 'x'.repeat(129)],
    ['newPassword', undefined],
    ['newPassword', 'zkqvbnxwjrt'],
    ['newPassword', 'password12345'],
    ['newPassword', OLD_PASSWORD],
  ])('400: names `%s`, and changes nothing: %j', async (field, value) => {
    const account = await accountOn(app);

    expectInvalid(await account.change({ [field]: value }), field);
    expect((await account.logIn(OLD_PASSWORD)).status).toBe(200);
  });

  it('400: rejects the account’s e-mail address, whatever the body says of it, and a malformed idempotency key', async () => {
    const account = await accountOn(app);
    const newPassword = `${account.email.split('@')[0]}99`;

    expect((await account.change({ newPassword, email: 'other@a.example' })).body.errors).toEqual({
      newPassword: [expect.stringMatching(/^newPassword must not be .*e-mail address$/)],
    });
    expectInvalid(await account.change({}, { 'Idempotency-Key': '' }), 'Idempotency-Key');
  });

  it('401: rejects a token whose account is gone', async () => {
    const tokens = app.nest.get(AccessTokenService, { strict: false });
    const token = tokens.issue({ accountId: newAccountId(), session: newObjectId() });
    const passwords = { currentPassword: OLD_PASSWORD, newPassword: NEW_PASSWORD };

    expectError(await app.post('/auth/password', passwords, { token }), [401, 'UNAUTHORIZED']);
    expectError(await app.get('/auth/me', { token }), [401, 'UNAUTHORIZED']);
  });

  it('403: says that the current password is wrong, hashes no new one, and counts as a failed login of the address', async () => {
    const account = await accountOn(app);
    const { body: other } = await account.logIn(OLD_PASSWORD);
    const from = '192.0.2.1';
    const hash = spyOnHasher('hash');
    const wrong = await account.change({ currentPassword: WRONG_PASSWORD }, {}, from);
    const login = await account.logIn(WRONG_PASSWORD, from);
    const rejected = await account.change({}, {}, from);

    expectError(wrong, [403, 'WRONG_PASSWORD'], { message: 'Current password is incorrect' });
    expect(wrong.headers.get('x-ratelimit-remaining')).toBe('1');
    expect(login.status).toBe(401);
    expectError(rejected, [429, 'TOO_MANY_REQUESTS']);
    expect(rejected.headers.get('retry-after')).toBe('900');
    expect(hash).not.toHaveBeenCalled();
    expect((await app.post('/auth/refresh', other)).status).toBe(200);
    expect((await account.change()).status).toBe(204);
  });

  it('limits the guesses at an account, even if concurrent and from many addresses', async () => {
    const account = await accountOn(app);
    const verify = spyOnHasher('verify');
    const guesses = await atOnce(20, (i) =>
      account.change({ currentPassword: `${WRONG_PASSWORD} ${i}` }, {}, `198.51.100.${i + 1}`),
    );

    expect(statusesOf(guesses).sort()).toEqual([...Array(6).fill(403), ...Array(14).fill(429)]);
    expect(verify).toHaveBeenCalledTimes(6);
    expect((await account.logIn(OLD_PASSWORD, '198.51.101.1')).status).toBe(200);
  });

  it('503: says when to try again while too many passwords wait', async () => {
    const account = await accountOn(app);
    for (const work of ['verify', 'hash'] as const) {
      const overloaded = new DomainError('OVERLOADED', {}, { retryAfter: 1 });
      spyOnHasher(work).mockRejectedValueOnce(overloaded);
      const response = await account.change();

      expectError(response, [503, 'OVERLOADED']);
      expect(response.headers.get('retry-after')).toBe('1');
    }
    expect((await account.logIn(OLD_PASSWORD)).status).toBe(200);
  });

  describe('with an idempotency key', () => {
    it('204 for a repeat, which changes nothing and is no failed login', async () => {
      const account = await accountOn(app);
      const key = aKey();
      await account.change({}, key);
      const { body: other } = await account.logIn(NEW_PASSWORD);
      const hash = spyOnHasher('hash');
      for (let times = 0; times < 3; times += 1) {
        const { status, headers } = await account.change({}, key);
        expect([status, headers.get('x-ratelimit-remaining')]).toEqual([204, '2']);
      }
      expect(hash).not.toHaveBeenCalled();
      expect((await app.post('/auth/refresh', other)).status).toBe(200);
      await account.change({ currentPassword: NEW_PASSWORD, newPassword: THIRD_PASSWORD });
      expectError(await account.change({}, key), [422, 'IDEMPOTENCY_KEY_REUSED']);
    });

    it('422 for another new password, which counts as a failed login', async () => {
      const account = await accountOn(app);
      const key = aKey();
      await account.change({}, key);
      const guess = () => account.change({ newPassword: THIRD_PASSWORD }, key);

      expect(statusesOf([await guess(), await guess(), await guess()])).toEqual([422, 422, 429]);
    });

    it('422 for the key of another operation, before a password is verified', async () => {
      const account = await accountOn(app);
      const headers = aKey();
      const client = { name: 'Acme', email: `${randomUUID()}@acme.example` };
      await app.post('/clients', client, { token: account.token, headers });
      const verify = spyOnHasher('verify');

      expect((await account.change({}, headers)).status).toBe(422);
      expect(verify).not.toHaveBeenCalled();
    });
  });
});
