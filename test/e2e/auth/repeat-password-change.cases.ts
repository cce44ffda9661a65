import { randomUUID } from 'node:crypto';
import { PasswordHasher } from '../../../src/auth/passwords/password-hasher.js';
import { ENGINES } from '../../engines.js';
import { atOnce, statusesOf } from '../at-once.js';
import { useApp } from '../use-app.js';
import { accountOn, NEW_PASSWORD, OLD_PASSWORD } from './account.js';

const THIRD_PASSWORD = 'four green anchors rest';
const DAY = 24 * 60 * 60;

const aKey = () => ({ 'Idempotency-Key': randomUUID() });

describe.each(ENGINES)('POST /auth/password with an idempotency key on %s', (engine) => {
  const app = useApp(engine, { LOGIN_LIMIT: '5' });

  it('204 for a repeat, which changes nothing and is no failed login', async () => {
    const account = await accountOn(app);
    const key = aKey();
    await account.change({}, key);
    const { body: other } = await account.logIn(NEW_PASSWORD);
    const { body: before } = await app.get('/auth/me', { token: account.token });
    const hash = jest.spyOn(app.nest.get(PasswordHasher, { strict: false }), 'hash').mockClear();
    app.clock.advance({ seconds: 60 });

    for (let times = 0; times < 6; times += 1) {
      const { status, headers } = await account.change({}, key);
      expect(status).toBe(204);
      expect(headers.get('x-ratelimit-remaining')).toBe('5');
    }
    expect(hash).not.toHaveBeenCalled();
    expect((await app.get('/auth/me', { token: account.token })).body).toEqual(before);
    expect((await app.post('/auth/refresh', other)).status).toBe(200);
  });

  it('204 for 5 concurrent requests, of which one changes the password', async () => {
    const account = await accountOn(app);
    const key = aKey();
    const twins = await atOnce(5, () => account.change({}, key));
    const last = await account.logIn(NEW_PASSWORD);

    expect(statusesOf(twins)).toEqual(Array(5).fill(204));
    expect(last.status).toBe(200);
    expect(last.headers.get('x-ratelimit-remaining')).toBe('5');
  });

  it('204 for a repeat 24 hours later is a new change: the current password is wrong by then', async () => {
    const account = await accountOn(app);
    const key = aKey();
    await account.change({}, key);
    app.clock.advance({ seconds: DAY });
    const { body } = await account.logIn(NEW_PASSWORD);
    const passwords = { currentPassword: OLD_PASSWORD, newPassword: NEW_PASSWORD };
    const call = { token: body.accessToken as string, headers: key };

    expect((await app.post('/auth/password', passwords, call)).status).toBe(403);
  });

  it('403 stores no idempotency record: the same key succeeds with the right password', async () => {
    const account = await accountOn(app);
    const key = aKey();

    expect((await account.change({ currentPassword: NEW_PASSWORD + '!' }, key)).status).toBe(403);
    expect((await account.change({}, key)).status).toBe(204);
  });

  it('204 for another account’s key of the same name', async () => {
    const [account, other] = [await accountOn(app), await accountOn(app)];
    const key = aKey();

    expect(statusesOf([await account.change({}, key), await other.change({}, key)])).toEqual([
      204, 204,
    ]);
    expect((await other.logIn(NEW_PASSWORD)).status).toBe(200);
  });

  it('422 for the key with another new password, counted as a failed login', async () => {
    const account = await accountOn(app);
    const key = aKey();
    await account.change({}, key);
    const guess = { newPassword: THIRD_PASSWORD };
    const responses = [];
    for (let times = 0; times < 6; times += 1) responses.push(await account.change(guess, key));

    expect(statusesOf(responses)).toEqual([422, 422, 422, 422, 422, 429]);
    expect(responses[0]?.body).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    expect((await account.logIn(NEW_PASSWORD, '192.0.2.1')).status).toBe(200);
  });

  it('422 for a repeat after the password has been changed again', async () => {
    const account = await accountOn(app);
    const key = aKey();
    await account.change({}, key);
    await account.change({ currentPassword: NEW_PASSWORD, newPassword: THIRD_PASSWORD });

    expect((await account.change({}, key)).status).toBe(422);
    expect((await account.logIn(THIRD_PASSWORD)).status).toBe(200);
  });

  it('422 for the key of another operation, before a password is verified', async () => {
    const account = await accountOn(app);
    const key = aKey();
    const client = { name: 'Acme', email: `${randomUUID()}@acme.example` };
    await app.post('/clients', client, { token: account.token, headers: key });
    const verify = jest
      .spyOn(app.nest.get(PasswordHasher, { strict: false }), 'verify')
      .mockClear();

    expect((await account.change({}, key)).status).toBe(422);
    expect(verify).not.toHaveBeenCalled();
    expect((await account.logIn(OLD_PASSWORD)).status).toBe(200);
  });
});
