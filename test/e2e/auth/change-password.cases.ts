import { randomUUID } from 'node:crypto';
import { AccessTokenService } from '../../../src/auth/access-tokens/access-token.service.js';
import { PasswordHasher } from '../../../src/auth/passwords/password-hasher.js';
import { DomainError } from '../../../src/shared/errors/domain-error.js';
import { newAccountId } from '../../../src/shared/ids/account-id.js';
import { newObjectId } from '../../../src/shared/ids/object-id.js';
import { ENGINES } from '../../engines.js';
import { atOnce, statusesOf } from '../at-once.js';
import { useApp } from '../use-app.js';
import { accountOn, NEW_PASSWORD, OLD_PASSWORD } from './account.js';

const WRONG_PASSWORD = 'seven quiet lanterns drown';

describe.each(ENGINES)('POST /auth/password on %s', (engine) => {
  const app = useApp(engine);

  afterEach(() => jest.restoreAllMocks());

  describe('204', () => {
    it('returns nothing, and from then on accepts the new password alone', async () => {
      const account = await accountOn(app);
      const { status, body } = await account.change();

      expect(status).toBe(204);
      expect(body).toBeUndefined();
      expect((await account.logIn(OLD_PASSWORD)).status).toBe(401);
      expect((await account.logIn(NEW_PASSWORD)).status).toBe(200);
    });

    it('ends every other session of the account, and nobody else’s', async () => {
      const account = await accountOn(app);
      const stranger = await accountOn(app);
      const others = [await account.logIn(OLD_PASSWORD), await account.logIn(OLD_PASSWORD)];
      await account.change();

      for (const { body } of others)
        expect((await app.post('/auth/refresh', body)).status).toBe(401);
      expect((await app.post('/auth/refresh', account)).status).toBe(200);
      expect((await app.post('/auth/refresh', stranger)).status).toBe(200);
    });

    it('leaves the caller’s session as it is, the access token too', async () => {
      const account = await accountOn(app);
      await account.change();
      const back = { currentPassword: NEW_PASSWORD, newPassword: OLD_PASSWORD };

      expect((await app.get('/auth/me', { token: account.token })).status).toBe(200);
      expect((await account.change(back)).status).toBe(204);
    });

    it('updates the time of the account’s last change', async () => {
      const account = await accountOn(app);
      app.clock.advance({ seconds: 60 });
      await account.change();
      const { body } = await app.get('/auth/me', { token: account.token });

      expect(body.updatedAt).toBe(app.clock.now().toISOString());
      expect(body.updatedAt > body.createdAt).toBe(true);
    });

    it('keeps spaces in passwords, and normalizes Unicode composition', async () => {
      const account = await accountOn(app);
      await account.change({ newPassword: '  caf\u00e9 by the river ' });
      const again = { currentPassword: '  cafe\u0301 by the river ', newPassword: NEW_PASSWORD };

      expect(
        (await account.change({ ...again, currentPassword: 'café by the river' })).status,
      ).toBe(403);
      expect((await account.change(again)).status).toBe(204);
    });
  });

  describe('400', () => {
    it.each([
      ['no current password', { currentPassword: undefined }, 'currentPassword'],
      ['an empty current password', { currentPassword: '' }, 'currentPassword'],
      [
        'a current password that is an operator',
        { currentPassword: { $ne: 0 } },
        'currentPassword',
      ],
      [
        'a current password of 129 characters',
        { currentPassword: 'x'.repeat(129) },
        'currentPassword',
      ],
      ['no new password', { newPassword: undefined }, 'newPassword'],
      ['a new password of 11 characters', { newPassword: 'zkqvbnxwjrt' }, 'newPassword'],
      [
        'a new password of 129 characters',
        { newPassword: 'zkqvbnxw jrtpqmdx'.repeat(8) },
        'newPassword',
      ],
      ['a new password that is a list', { newPassword: [NEW_PASSWORD] }, 'newPassword'],
      ['a common new password', { newPassword: 'password12345' }, 'newPassword'],
      ['the current password as the new one', { newPassword: OLD_PASSWORD }, 'newPassword'],
    ])('says "Validation error" with reasons for %s', async (_case, wrong, field) => {
      const account = await accountOn(app);
      const { status, body } = await account.change(wrong);

      expect(status).toBe(400);
      expect(body).toMatchObject({
        message: 'Validation error',
        code: 'VALIDATION_ERROR',
        errors: { [field]: [expect.stringContaining(field)] },
      });
      expect(Object.keys(body.errors)).toEqual([field]);
      expect((await account.logIn(OLD_PASSWORD)).status).toBe(200);
    });

    it('rejects the account’s e-mail address as its password, whatever the body says of it', async () => {
      const account = await accountOn(app);
      const [local] = account.email.split('@');
      for (const newPassword of [account.email.toUpperCase(), `${local}99`]) {
        const { status, body } = await account.change({ newPassword, email: 'other@a.example' });

        expect(status).toBe(400);
        expect(body.errors).toEqual({
          newPassword: [expect.stringMatching(/^newPassword must not be .*e-mail address$/)],
        });
      }
    });

    it('rejects the current password in another Unicode composition as the new one', async () => {
      const account = await accountOn(app);
      await account.change({ newPassword: 'caf\u00e9 by the river' });
      const same = {
        currentPassword: 'caf\u00e9 by the river',
        newPassword: 'cafe\u0301 by the river',
      };

      expect((await account.change(same)).body.errors).toEqual({
        newPassword: ['newPassword must not be the current password'],
      });
    });

    it('rejects a malformed idempotency key', async () => {
      const { change } = await accountOn(app);

      expect((await change({}, { 'Idempotency-Key': 'x'.repeat(256) })).body).toMatchObject({
        code: 'VALIDATION_ERROR',
        errors: { 'Idempotency-Key': expect.anything() },
      });
    });
  });

  describe('401', () => {
    it('rejects a token whose account is gone', async () => {
      const tokens = app.nest.get(AccessTokenService, { strict: false });
      const token = tokens.issue({ accountId: newAccountId(), session: newObjectId() });
      const passwords = { currentPassword: OLD_PASSWORD, newPassword: NEW_PASSWORD };

      expect((await app.post('/auth/password', passwords, { token })).status).toBe(401);
    });
  });

  describe('403', () => {
    it('says that the current password is wrong, and changes nothing', async () => {
      const account = await accountOn(app);
      const other = await account.logIn(OLD_PASSWORD);
      const response = await account.change({ currentPassword: WRONG_PASSWORD });

      expect(response.status).toBe(403);
      expect(response.body).toEqual({
        message: 'Current password is incorrect',
        code: 'WRONG_PASSWORD',
        requestId: response.headers.get('x-request-id'),
      });
      expect((await account.logIn(OLD_PASSWORD)).status).toBe(200);
      expect((await app.post('/auth/refresh', other.body)).status).toBe(200);
    });

    it('hashes no new password for it', async () => {
      const account = await accountOn(app);
      const hasher = app.nest.get(PasswordHasher, { strict: false });
      const verify = jest.spyOn(hasher, 'verify').mockClear();
      const hash = jest.spyOn(hasher, 'hash').mockClear();
      await account.change({ currentPassword: WRONG_PASSWORD });

      expect(verify).toHaveBeenCalledTimes(1);
      expect(hash).not.toHaveBeenCalled();
    });
  });

  it.each(['verify', 'hash'] as const)(
    '503 says when to try again while too many passwords wait to %s',
    async (work) => {
      const account = await accountOn(app);
      const overloaded = new DomainError('OVERLOADED', {}, { retryAfter: 1 });
      const hasher = app.nest.get(PasswordHasher, { strict: false });
      jest.spyOn(hasher, work).mockRejectedValueOnce(overloaded);
      const { status, headers, body } = await account.change();

      expect(status).toBe(503);
      expect(headers.get('retry-after')).toBe('1');
      expect(body).toMatchObject({ code: 'OVERLOADED' });
      expect((await account.logIn(OLD_PASSWORD)).status).toBe(200);
    },
  );

  it('makes exactly one of 10 concurrent changes from one password', async () => {
    const account = await accountOn(app);
    const passwords = Array.from({ length: 10 }, () => `lanterns ${randomUUID()}`);
    const responses = await Promise.all(
      passwords.map((newPassword) => account.change({ newPassword })),
    );

    expect(statusesOf(responses).sort()).toEqual([204, ...Array(9).fill(403)]);
    const logins = await Promise.all(passwords.map((password) => account.logIn(password)));
    expect(logins.map(({ status }) => status === 200)).toEqual(
      responses.map(({ status }) => status === 204),
    );
  });
});

describe.each(ENGINES)('POST /auth/password, limited, on %s', (engine) => {
  const app = useApp(engine, { LOGIN_LIMIT: '2' });

  it('counts a wrong current password as a failed login of the address', async () => {
    const account = await accountOn(app);
    const from = '192.0.2.1';
    const wrong = () => account.change({ currentPassword: WRONG_PASSWORD }, {}, from);
    const first = await wrong();
    const second = await account.logIn(WRONG_PASSWORD, from);
    const third = await account.change({}, {}, from);

    expect(statusesOf([first, second, third])).toEqual([403, 401, 429]);
    expect(first.headers.get('x-ratelimit-remaining')).toBe('1');
    expect(third.headers.get('retry-after')).toBe('900');
    expect(third.body).toMatchObject({ code: 'TOO_MANY_REQUESTS' });
    expect((await account.logIn(OLD_PASSWORD, from)).status).toBe(429);
    expect((await account.change({}, {}, '192.0.2.2')).status).toBe(204);
  });

  it('limits the guesses at an account, even if concurrent and from many addresses', async () => {
    const account = await accountOn(app);
    const verify = jest
      .spyOn(app.nest.get(PasswordHasher, { strict: false }), 'verify')
      .mockClear();
    const guesses = await atOnce(20, (i) =>
      account.change({ currentPassword: `${WRONG_PASSWORD} ${i}` }, {}, `198.51.100.${i + 1}`),
    );

    expect(guesses.filter(({ status }) => status === 403)).toHaveLength(6);
    expect(guesses.filter(({ status }) => status === 429)).toHaveLength(14);
    expect(verify).toHaveBeenCalledTimes(6);
    expect((await account.logIn(OLD_PASSWORD, '198.51.101.1')).status).toBe(200);
  });

  it('counts neither successful changes nor malformed bodies', async () => {
    const account = await accountOn(app);
    const from = '192.0.2.3';
    await account.change({ newPassword: 'short' }, {}, from);
    await account.change({ newPassword: account.email }, {}, from);
    const { status, headers } = await account.change({}, {}, from);

    expect(status).toBe(204);
    expect(headers.get('x-ratelimit-remaining')).toBe('2');
  });
});
