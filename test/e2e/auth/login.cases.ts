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
    expectResponse(me, 200, { ...body.user, accountName: body.user.name });
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
    const hash = spyOnHasher(app, 'hash');
    const response = await register({ email: 'TAKEN@studio.example' });

    expectError(response, [409, 'EMAIL_ALREADY_REGISTERED'], { field: 'email' });
    expect((await register({ email: 'new@studio.example', name: '' })).status).toBe(400);
    expect(hash).not.toHaveBeenCalled();
  });

  it('S8: has the same bytes for a wrong password and an unknown account, after exactly one verification and one look-up', async () => {
    await register({ email: 'login@studio.example' });
    const logIn = (changes: object) =>
      app.post('/auth/login', { ...ADA, email: 'login@studio.example', ...changes });
    const verify = spyOnHasher(app, 'verify');
    const hash = spyOnHasher(app, 'hash');
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
    for (const body of [JSON.stringify(bob), JSON.stringify(ADA), '{}']) {
      expectError(await app.send('POST', '/auth/register', body), [403, 'REGISTRATION_CLOSED']);
    }
    expect((await app.get('/auth/registration')).body).toEqual({ open: false });
    expect((await app.post('/auth/login', ADA)).status).toBe(open ? 200 : 401);
    expect((await app.post('/auth/login', bob)).status).toBe(401);
  });
});

describe('POST /auth/password, and guesses at a password', () => {
  const app = useApp({ GUESS_LIMIT: '2' });
  let addresses = 0;

  /** A new account, its first session, and what is done with its password, from an address of its own. */
  async function newAccount() {
    addresses += 1;
    const own = `203.0.113.${addresses}`;
    const developer = await app.register({}, { from: own });
    const { email, token } = developer;
    return {
      ...developer,
      /** Changes the password from PASSWORD to NEW_PASSWORD, unless told otherwise. */
      change: (fields: object = {}, headers: Record<string, string> = {}, from = own) => {
        const passwords = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD, ...fields };
        return app.post('/auth/password', passwords, { token, headers, from });
      },
      logIn: (password: string, from = own) =>
        app.post('/auth/login', { email, password }, { from }),
    };
  }

  it('204: from then on the new password alone is right, and every session but the caller’s has ended', async () => {
    const [account, stranger] = [await newAccount(), await newAccount()];
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
    const account = await newAccount();
    const { body: other } = await account.logIn(PASSWORD);
    const hash = spyOnHasher(app, 'hash');
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

  it('422 for another password with an idempotency key, which counts as a failed login, and for the key of another operation', async () => {
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

  // src/limits/login-limiter.spec.ts tries which failures are counted together, and test/e2e/console/session.cases.ts those of an address.
  it(`S9: guesses from ${ADDRESSES.length} addresses learn 6 times that they are wrong, and the account’s owner logs in from an address that it knows`, async () => {
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
    // In a live session the password can be changed, wherever that is.
    expect((await account.change({}, {}, STRANGE)).status).toBe(204);
    app.clock.advance({ seconds: 900 });
    expect((await account.logIn(NEW_PASSWORD, STRANGE)).status).toBe(200);
  });
});
