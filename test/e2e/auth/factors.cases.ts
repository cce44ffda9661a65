import type { TestApp } from '../../app.js';
import { describeOnMongo, EVERY_ENGINE, newStore } from '../../engines.js';
import { type LoggedInDeveloper, NEW_PASSWORD, PASSWORD } from '../developer.js';
import { atOnce, countsOf, expectError, expectInvalid } from '../responses.js';
import { useApp, useAppOn } from '../use-app.js';
import {
  challengeOf,
  codeOf,
  nextCode,
  PUBLIC_URL,
  secondFactorsOn,
  withPasskey,
  withTotp,
  wrongCode,
} from './second-factors.js';

const DAY = 24 * 60 * 60;
const STRANGE = '198.51.100.7';

describe('Second factors', () => {
  const app = useApp({ PUBLIC_URL });
  let ada: LoggedInDeveloper;
  beforeEach(async () => {
    ada = await app.register();
  });

  const { signIn, factorsOf } = secondFactorsOn(app);

  describe('An authenticator app', () => {
    it('is requested after a correct password, and its code starts a session like a login without one', async () => {
      const before = await app.post('/auth/login', { email: ada.email, password: PASSWORD });
      const { secret } = await withTotp(app, ada);
      const code = nextCode(secret, app);
      const due = await app.post('/auth/login', { email: ada.email, password: PASSWORD });
      expectError(due, [403, 'FACTOR_REQUIRED'], {
        challenge: expect.stringMatching(/^[\w-]{43}$/),
        ...{ factors: ['totp', 'recovery_code'], passkeyOptions: null },
      });
      const { challenge } = due.body;
      const response = await signIn({ challenge, code });
      expect(response.status).toBe(200);
      expect(Object.keys(response.body)).toEqual(Object.keys(before.body));
      expect((await app.get('/auth/me', { token: response.body.accessToken })).status).toBe(200);
      expectError(await signIn({ challenge, code }), [401, 'INVALID_CHALLENGE']);
      const again = await challengeOf(app, ada);
      expectError(await signIn({ challenge: again.challenge, code }), [403, 'WRONG_FACTOR']);
    });

    it('S8: is not revealed to anyone without the password', async () => {
      await withTotp(app, ada);
      const fail = async (email: string) => {
        const { status, body } = await app.post('/auth/login', { email, password: NEW_PASSWORD });
        return { status, body: { ...body, requestId: '' } };
      };
      expect(await fail(ada.email)).toEqual(await fail('nobody@studio.example'));
    });

    it('signs in to the console, which sets a cookie only then', async () => {
      const { secret } = await withTotp(app, ada);
      const code = nextCode(secret, app);
      const due = await app.post('/console/session', { email: ada.email, password: PASSWORD });
      expect([due.status, due.headers.getSetCookie()]).toEqual([403, []]);
      const { challenge } = due.body;
      const response = await app.post('/console/session/factor', { challenge, code });
      expect(response.status).toBe(200);
      expect(response.body).not.toHaveProperty('refreshToken');
      expect(response.headers.getSetCookie()).toHaveLength(1);
    });

    it('ends the other sessions and adds ten recovery codes, which are removed with the last factor', async () => {
      const other = await app.logIn(ada);
      const { recoveryCodes, secret } = await withTotp(app, ada);
      expect(new Set(recoveryCodes).size).toBe(10);
      expect((await app.get('/auth/me', other)).status).toBe(401);
      const totp = { enabled: true, createdAt: app.clock.now().toISOString() };
      expect(await factorsOf(ada)).toEqual({ passkeys: [], totp, recoveryCodesLeft: 10 });
      expectError(await app.post('/auth/factors/totp', {}, ada), [409, 'TOTP_EXISTS']);
      expect((await withPasskey(app, ada)).recoveryCodes).toBeNull();

      const { body } = await app.post('/auth/factors/recovery-codes', {}, ada);
      const { challenge } = await challengeOf(app, ada);
      const old = await signIn({ challenge, recoveryCode: recoveryCodes[0] });
      expectError(old, [403, 'WRONG_FACTOR']);
      const recoveryCode = String(body.recoveryCodes[0]).toLowerCase().replaceAll('-', ' ');
      expect((await signIn({ challenge, recoveryCode })).status).toBe(200);
      expect((await factorsOf(ada)).recoveryCodesLeft).toBe(9);
      const spent = await challengeOf(app, ada);
      expectError(await signIn({ challenge: spent.challenge, recoveryCode }), [
        403,
        'WRONG_FACTOR',
      ]);

      const [{ _id }] = (await factorsOf(ada)).passkeys;
      for (const id of [_id, 'totp']) {
        expect((await app.delete(`/auth/factors/${id}`, ada)).status).toBe(204);
        expectError(await app.delete(`/auth/factors/${id}`, ada), [404, 'FACTOR_NOT_FOUND']);
      }
      const none = { enabled: false, createdAt: null };
      expect(await factorsOf(ada)).toEqual({ passkeys: [], totp: none, recoveryCodesLeft: 0 });
      const code = nextCode(secret, app);
      expectError(await signIn({ challenge: spent.challenge, code }), [403, 'WRONG_FACTOR']);
      await app.logIn(ada);
      expectError(await app.post('/auth/factors/recovery-codes', {}, ada), [
        404,
        'FACTOR_NOT_FOUND',
      ]);
    });

    it('is confirmed only by a correct code in the session that started it', async () => {
      const confirm = (code: string, caller = ada) =>
        app.post('/auth/factors/totp/confirm', { code }, caller);
      expectError(await confirm('123456'), [409, 'TOTP_NOT_STARTED']);
      const { secret } = (await app.post('/auth/factors/totp', {}, ada)).body;
      const other = await app.logIn(ada);
      expectError(await confirm(codeOf(secret, app), other), [409, 'TOTP_NOT_STARTED']);
      expectError(await confirm(wrongCode(secret, app)), [403, 'WRONG_FACTOR']);
      expectInvalid(await confirm('12345'), 'code');
      await app.logIn(ada);
    });
  });

  describe('The challenge of a login', () => {
    it('is void after 5 tries, after 5 minutes, and after any change of the password', async () => {
      const { secret, ...caller } = await withTotp(app, ada);
      const first = await challengeOf(app, ada);
      for (let tries = 0; tries < 5; tries += 1) {
        const wrong = { challenge: first.challenge, code: wrongCode(secret, app) };
        expectError(await signIn(wrong), [403, 'WRONG_FACTOR']);
      }
      const second = await challengeOf(app, ada);
      const code = nextCode(secret, app);
      expectError(await signIn({ challenge: first.challenge, code }), [401, 'INVALID_CHALLENGE']);
      app.clock.advance({ seconds: 270 });
      const late = { challenge: second.challenge, code: codeOf(secret, app) };
      expectError(await signIn(late), [401, 'INVALID_CHALLENGE']);

      const third = await challengeOf(app, ada);
      const passwords = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
      expect((await app.post('/auth/password', passwords, caller)).status).toBe(204);
      const after = { challenge: third.challenge, code: nextCode(secret, app) };
      expectError(await signIn(after), [401, 'INVALID_CHALLENGE']);
    });

    it('takes exactly one factor, and does not work for another login', async () => {
      const { secret } = await withTotp(app, ada);
      const eve = await withTotp(app, await app.register());
      const { challenge } = await challengeOf(app, ada);
      for (const body of [{}, { code: '123456', recoveryCode: 'x' }]) {
        expect((await signIn({ challenge, ...body })).status).toBe(400);
      }
      const ofEve = nextCode(eve.secret, app);
      expectError(await signIn({ challenge, code: ofEve }), [403, 'WRONG_FACTOR']);
      const stolen = { challenge, recoveryCode: eve.recoveryCodes[0] };
      expectError(await signIn(stolen), [403, 'WRONG_FACTOR']);
      expect((await signIn({ challenge, code: codeOf(secret, app) })).status).toBe(200);
    });
  });

  describe('Ten wrong codes in 24 hours', () => {
    it('lock codes for 24 hours except from known addresses, ten a day each; passkeys still work', async () => {
      const { secret, recoveryCodes } = await withTotp(app, ada);
      const { passkey } = await withPasskey(app, ada);
      const guess = async (from?: string, factor: object = { code: wrongCode(secret, app) }) => {
        const { challenge } = await challengeOf(app, ada, from);
        return signIn({ challenge, ...factor }, from);
      };
      const used = codeOf(secret, app);
      expectError(await guess(STRANGE, { code: used }), [403, 'WRONG_FACTOR']);
      for (let count = 0; count < 10; count += 1) {
        const wrong = count % 2 ? undefined : { recoveryCode: `${count}` };
        expectError(await guess(STRANGE, wrong), [403, 'WRONG_FACTOR']);
      }
      const code = nextCode(secret, app);
      for (const factor of [{ code }, { recoveryCode: recoveryCodes[0] }]) {
        const locked = await guess(STRANGE, factor);
        expectError(locked, [429, 'TOO_MANY_WRONG_CODES']);
        expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(DAY - 60);
      }
      const { challenge, passkeyOptions } = await challengeOf(app, ada, STRANGE);
      const response = passkey.get(passkeyOptions);
      expect((await signIn({ challenge, response }, '198.51.100.8')).status).toBe(200);
      // The registration made its address known.
      expect((await guess(undefined, { code })).status).toBe(200);
      for (let count = 0; count < 10; count += 1) await guess();
      const next = () => ({ code: nextCode(secret, app) });
      expectError(await guess(undefined, next()), [429, 'TOO_MANY_WRONG_CODES']);
      app.clock.advance({ seconds: DAY });
      expect((await guess(STRANGE, next())).status).toBe(200);
      const caller = await app.post('/auth/login/factor', {
        ...{ challenge: (await challengeOf(app, ada)).challenge, ...next() },
      });
      const events = await app.get('/events?type=account.codes_locked', {
        token: caller.body.accessToken,
      });
      expect(events.body.data).toMatchObject([{ actor: { type: 'system' } }]);
    });
  });

  /** @param instances of one deployment */
  function signsInOnce(first: TestApp, ...others: TestApp[]): void {
    const instances = [first, ...others];
    const each = (index: number) => instances[index % instances.length]!;

    it('50 concurrent uses of a TOTP code, a recovery code and a passkey response start one session each', async () => {
      const bob = await first.register();
      const { secret, recoveryCodes } = await withTotp(first, bob);
      const { passkey } = await withPasskey(first, bob);
      for (const instance of others) instance.clock.advance({ seconds: 30 });
      const code = nextCode(secret, first);
      const { passkeyOptions } = (await first.post('/auth/login/passkey/options', {})).body;
      const response = passkey.get(passkeyOptions);
      const challenges = await atOnce(50, (index) => challengeOf(each(index), bob));
      const withFactor = (factor: object) => (index: number) =>
        each(index).post('/auth/login/factor', {
          challenge: challenges[index]!.challenge,
          ...factor,
        });
      for (const use of [
        withFactor({ code }),
        withFactor({ recoveryCode: recoveryCodes[3] }),
        (index: number) => each(index).post('/auth/login/passkey', { response }),
      ]) {
        const responses = await atOnce(50, use);
        expect(countsOf(responses)[200]).toBe(1);
      }
      // Lost races do not count as wrong codes.
      const { challenge } = await challengeOf(first, bob, STRANGE);
      const next = await first.post(
        '/auth/login/factor',
        { challenge, recoveryCode: recoveryCodes[4] },
        { from: STRANGE },
      );
      expect(next.status).toBe(200);
    });
  }

  describe('On SQLite', () => signsInOnce(app));

  describeOnMongo('On three instances on MongoDB', () => {
    const env = { ...(EVERY_ENGINE.includes('MongoDB') && newStore('MongoDB')), PUBLIC_URL };
    signsInOnce(useAppOn('MongoDB', env), useAppOn('MongoDB', env), useAppOn('MongoDB', env));
  });
});
