import { randomUUID } from 'node:crypto';
import { PasswordHasher } from '../../../src/auth/passwords/password-hasher.js';
import { statusesOf } from '../at-once.js';
import { PASSWORD } from '../developer.js';
import { expectError, expectInvalid, expectResponse } from '../expect-response.js';
import { useApp } from '../use-app.js';
import { accountOn, NEW_PASSWORD } from './account.js';

const THIRD_PASSWORD = 'four green anchors rest';

const aKey = () => ({ 'Idempotency-Key': randomUUID() });

describe('POST /auth/password', () => {
  const app = useApp({ LOGIN_LIMIT: '2' });
  const spyOnHasher = (method: 'hash' | 'verify') =>
    jest.spyOn(app.nest.get(PasswordHasher, { strict: false }), method);

  afterEach(() => jest.restoreAllMocks());

  it('204: from then on the new password alone is right, and every session but the caller’s has ended', async () => {
    const [account, stranger] = [await accountOn(app), await accountOn(app)];
    const other = await account.logIn(PASSWORD);
    app.clock.advance({ seconds: 60 });
    const { status, body } = await account.change();

    expectResponse({ status, body }, 204, undefined);
    expect((await account.logIn(PASSWORD)).status).toBe(401);
    expect((await account.logIn(NEW_PASSWORD)).status).toBe(200);
    expect((await app.post('/auth/refresh', other.body)).status).toBe(401);
    expect((await app.post('/auth/refresh', account)).status).toBe(200);
    expect((await app.post('/auth/refresh', stranger)).status).toBe(200);
    const me = (await app.get('/auth/me', { token: account.token })).body;
    expect(me.updatedAt).toBe(app.clock.now().toISOString());
  });

  it('400, 403: names a field that is wrong, such as its own e-mail address as password, and changes nothing', async () => {
    const account = await accountOn(app);
    const { body: other } = await account.logIn(PASSWORD);
    const hash = spyOnHasher('hash');
    const address = { newPassword: `${account.email.split('@')[0]}99`, email: 'other@a.example' };

    expectInvalid(await account.change({ currentPassword: undefined }), 'currentPassword');
    for (const newPassword of [undefined, 'zkqvbnxwjrt', 'password12345', PASSWORD]) {
      expectInvalid(await account.change({ newPassword }), 'newPassword');
    }
    expect((await account.change(address)).body.errors).toEqual({
      newPassword: [expect.stringMatching(/^newPassword must not be .*e-mail address$/)],
    });
    const wrong = await account.change({ currentPassword: THIRD_PASSWORD });
    expectError(wrong, [403, 'WRONG_PASSWORD'], { field: 'currentPassword' });
    expect(hash).not.toHaveBeenCalled();
    expect((await app.post('/auth/refresh', other)).status).toBe(200);
    expect((await account.logIn(PASSWORD)).status).toBe(200);
  });

  it('204 for a repeat with an idempotency key, which changes nothing; 422 for another password, which counts as a failed login, and for the key of another operation', async () => {
    const account = await accountOn(app);
    const key = aKey();
    await account.change({}, key);
    const { body: other } = await account.logIn(NEW_PASSWORD);
    const repeat = await account.change({}, key);
    expect([repeat.status, repeat.headers.get('x-ratelimit-remaining')]).toEqual([204, '2']);
    expect((await app.post('/auth/refresh', other)).status).toBe(200);
    const guess = () => account.change({ newPassword: THIRD_PASSWORD }, key);
    expect(statusesOf([await guess(), await guess(), await guess()])).toEqual([422, 422, 429]);

    const [{ token, change }, headers] = [await accountOn(app), aKey()];
    const client = { name: 'Acme', email: `${randomUUID()}@acme.example` };
    await app.post('/clients', client, { token, headers });
    const verify = spyOnHasher('verify');
    expect((await change({}, headers)).status).toBe(422);
    expect(verify).not.toHaveBeenCalled();
  });
});
