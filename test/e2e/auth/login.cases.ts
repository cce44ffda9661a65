import pLimit from 'p-limit';
import { PasswordHasher } from '../../../src/auth/passwords/password-hasher.js';
import { LOGIN_ADDRESSES } from '../../../src/auth/sessions/session.js';
import { Store } from '../../../src/storage/store.js';
import { START } from '../../fake-clock.js';
import { claimsOf, NEW_PASSWORD, PASSWORD } from '../developer.js';
import {
  countsOf,
  expectError,
  expectInvalid,
  expectResponse,
  rateLimitOf,
  statusesOf,
  visible,
} from '../responses.js';
import type { TestApp } from '../../app.js';
import { useApp } from '../use-app.js';
import { timesInScope } from '../../scope.js';

const ADA = {
  name: 'Ada',
  email: 'register@studio.example',
  password: 'seven quiet lanterns drift',
};
const THIRD_PASSWORD = 'four green anchors rest';
const KEY = { 'Idempotency-Key': 'change of a password' };
const STRANGE = '198.51.100.1';
const ADDRESSES = Array.from(
  { length: timesInScope(1_000) },
  (_, i) => `10.0.${i >> 8}.${i & 255}`,
);

const spyOnHasher = (app: TestApp, method: 'hash' | 'verify') =>
  jest.spyOn(app.nest.get(PasswordHasher, { strict: false }), method);

afterEach(() => jest.restoreAllMocks());

describe('POST /auth/register and /auth/login', () => {
  const app = useApp();

  const register = (changes: object = {}) => app.post('/auth/register', { ...ADA, ...changes });

  it('201, 200: return the account and session tokens with only the documented claims, without headers of a disabled limit', async () => {
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
    expectResponse({ status, body }, 201, { message: 'Account created', ...session });
    const login = await app.post('/auth/login', {
      ...{ email: ' REGISTER@studio.example ', password: ADA.password },
    });
    expectResponse(login, 200, { message: 'Logged in', ...session });
    expect(rateLimitOf(login)).toEqual([null, null, null]);
    const now = app.clock.now().getTime() / 1000;
    expect(claimsOf(body.accessToken)).toEqual({
      ...{ sub: body.user._id, acc: body.user._id },
      ...{ sid: expect.stringMatching(/^[0-9a-f]{24}$/), typ: 'access' },
      ...{ iss: 'license-management-service', aud: 'license-management-service-api' },
      ...{ iat: now, exp: now + 900 },
    });
    const me = await app.get('/auth/me', { token: body.accessToken });
    expectResponse(me, 200, { ...body.user, accountName: body.user.name });
    const offered = { open: true, firstAccount: false, passkeys: false, passwordReset: false };
    expect((await app.get('/auth/registration')).body).toEqual(offered);
  });

  // Every form of a field is covered in src/shared/fields, and of a password in src/auth/passwords.
  it.each([
    ['email', 'nobody'],
    ['password', 'V@studio.example'],
  ])('400: gives reasons if `%s` is %j', async (field, value) => {
    const response = await register({ email: 'v@studio.example', [field]: value });

    expectInvalid(response, field);
    expect(response.body.errors[field]).toContainEqual(expect.stringContaining(field));
    expect(response.body.details).toMatch(new RegExp(`^${field} .*\\.$`));
  });

  it('409: rejects a registered address in any letter case, without hashing the password', async () => {
    await register({ email: 'taken@studio.example' });
    const hash = spyOnHasher(app, 'hash');
    const response = await register({ email: 'TAKEN@studio.example' });

    expectError(response, 'EMAIL_ALREADY_REGISTERED', { field: 'email' });
    expect((await register({ email: 'new@studio.example', name: '' })).status).toBe(400);
    expect(hash).not.toHaveBeenCalled();
  });

  it('S8: sends the same bytes for a wrong password and an unknown account, after exactly one verification and one lookup', async () => {
    await register({ email: 'login@studio.example' });
    const logIn = (changes: object) =>
      app.post('/auth/login', {
        email: 'login@studio.example',
        password: ADA.password,
        ...changes,
      });
    const verify = spyOnHasher(app, 'verify');
    const hash = spyOnHasher(app, 'hash');
    const find = jest.spyOn(app.nest.get(Store), 'find');
    const [wrong, unknown] = [
      await logIn({ password: 'seven quiet lanterns drown' }),
      await logIn({ email: 'nobdy@studio.example' }),
    ];

    expectError(wrong, 'INVALID_CREDENTIALS');
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

  it('rejects every body with 403, from the start or after the first account; invited members can join', async () => {
    const open = registration === 'first';
    expect((await app.get('/auth/registration')).body).toEqual({
      ...{ open, firstAccount: open, passkeys: false, passwordReset: false },
    });
    if (open) {
      expect((await app.post('/auth/register', { ...ADA, password: 'short' })).status).toBe(400);
      const { status, body } = await app.post('/auth/register', ADA);
      expect(status).toBe(201);
      const { invitation } = (await app.invite({ token: body.accessToken })).body;
      expect((await app.accept(invitation)).status).toBe(201);
    }
    const bob = { ...ADA, email: 'bob@studio.example' };
    for (const body of [JSON.stringify(bob), JSON.stringify(ADA), '{}']) {
      expectError(await app.send('POST', '/auth/register', body), 'REGISTRATION_CLOSED');
    }
    const closed = { open: false, firstAccount: false, passkeys: false, passwordReset: false };
    expect((await app.get('/auth/registration')).body).toEqual(closed);
    const logIn = ({ email, password }: typeof ADA) => app.post('/auth/login', { email, password });
    expect((await logIn(ADA)).status).toBe(open ? 200 : 401);
    expect((await logIn(bob)).status).toBe(401);
  });
});

describe('POST /auth/password, and guesses at a password', () => {
  const app = useApp({ GUESS_LIMIT: '2' });
  let addresses = 0;

  /** A new account, its first session, and actions on its password, from a separate address. */
  async function newAccount() {
    addresses += 1;
    const own = `203.0.113.${addresses}`;
    const developer = await app.register({}, { from: own });
    const { email, token } = developer;
    return {
      ...developer,
      /** Changes the password from PASSWORD to NEW_PASSWORD by default. */
      change: (fields: object = {}, headers: Record<string, string> = {}, from = own) => {
        const passwords = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD, ...fields };
        return app.post('/auth/password', passwords, { token, headers, from });
      },
      logIn: (password: string, from = own) =>
        app.post('/auth/login', { email, password }, { from }),
    };
  }

  it('204: only the new password works, and every session except the caller’s has ended', async () => {
    const [account, stranger] = [await newAccount(), await newAccount()];
    const other = await account.logIn(PASSWORD);
    app.clock.advance({ seconds: 60 });
    const { status, body } = await account.change();

    expectResponse({ status, body }, 204, undefined);
    expect((await account.logIn(PASSWORD)).status).toBe(401);
    expect((await account.logIn(NEW_PASSWORD)).status).toBe(200);
    expect((await app.refresh(other.body)).status).toBe(401);
    expect((await app.refresh(account)).status).toBe(200);
    expect((await app.refresh(stranger)).status).toBe(200);
    const me = (await app.get('/auth/me', { token: account.token })).body;
    expect(me.updatedAt).toBe(app.clock.now().toISOString());
  });

  it('400, 403: names the invalid field, such as a password that is the own email address, and changes nothing', async () => {
    const account = await newAccount();
    const { body: other } = await account.logIn(PASSWORD);
    const hash = spyOnHasher(app, 'hash');
    const address = { newPassword: `${account.email.split('@')[0]}99` };

    expectInvalid(await account.change({ currentPassword: undefined }), 'currentPassword');
    for (const newPassword of [undefined, 'zkqvbnxwjrt', 'password12345', PASSWORD]) {
      expectInvalid(await account.change({ newPassword }), 'newPassword');
    }
    expect((await account.change(address)).body.errors).toEqual({
      newPassword: [expect.stringMatching(/^newPassword must not be .*email address$/)],
    });
    const wrong = await account.change({ currentPassword: THIRD_PASSWORD });
    expectError(wrong, 'WRONG_PASSWORD', { field: 'currentPassword' });
    expect(hash).not.toHaveBeenCalled();
    expect((await app.refresh(other)).status).toBe(200);
    expect((await account.logIn(PASSWORD)).status).toBe(200);
  });

  it('422 for another password with a used idempotency key, which counts as a failed login, and for a key of another operation', async () => {
    const account = await newAccount();
    await account.change({}, KEY);
    const repeat = await account.change({}, KEY);
    expect([repeat.status, repeat.headers.get('x-ratelimit-remaining')]).toEqual([204, '2']);
    const guess = () => account.change({ newPassword: THIRD_PASSWORD }, KEY);
    expect(statusesOf([await guess(), await guess(), await guess()])).toEqual([422, 422, 429]);

    const { token, change } = await newAccount();
    await app.createClient({ token, headers: KEY });
    const verify = spyOnHasher(app, 'verify');
    expect((await change({}, KEY)).status).toBe(422);
    expect(verify).not.toHaveBeenCalled();
  });

  // src/limits/login-limiter.spec.ts covers which failures are counted together, test/e2e/console/session.cases.ts counting by address.
  it(`S9: guesses from ${ADDRESSES.length} addresses learn only 6 results, and the owner can still log in from a known address`, async () => {
    const account = await newAccount();
    await account.logIn(PASSWORD, '2001:db8::1');
    for (const email of ['nobody@studio.example', account.email]) {
      const guesses = await pLimit(4).map(ADDRESSES, (from) =>
        app.post('/auth/login', { email, password: THIRD_PASSWORD }, { from }),
      );
      const limited = ADDRESSES.length - 6;
      expect(countsOf(guesses)).toEqual({ INVALID_CREDENTIALS: 6, TOO_MANY_REQUESTS: limited });
    }

    const strange = await account.logIn(PASSWORD, STRANGE);
    expect([strange.status, strange.headers.get('retry-after')]).toEqual([429, '900']);
    for (const known of [undefined, '2001:db8::2']) {
      expect((await account.logIn(PASSWORD, known)).status).toBe(200);
    }
    expect((await (await newAccount()).logIn(PASSWORD, STRANGE)).status).toBe(200);
    // A live session can change the password from any address.
    expect((await account.change({}, {}, STRANGE)).status).toBe(204);
    app.clock.advance({ seconds: 900 });
    expect((await account.logIn(NEW_PASSWORD, STRANGE)).status).toBe(200);
  });
});
