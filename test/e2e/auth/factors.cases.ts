import pLimit from 'p-limit';
import { USERS } from '../../../src/auth/accounts/user.js';
import { SESSIONS } from '../../../src/auth/sessions/session.js';
import { Store } from '../../../src/storage/store.js';
import type { TestApp } from '../../app.js';
import { describeOnMongo, EVERY_ENGINE, newStore } from '../../engines.js';
import { claimsOf, type Developer, NEW_PASSWORD, PASSWORD } from '../developer.js';
import { atOnce, countsOf, expectError, expectInvalid } from '../responses.js';
import { useAppOn } from '../use-app.js';
import {
  challengeOf,
  codeOf,
  nextCode,
  PUBLIC_URL,
  useSecondFactors,
  withPasskey,
  withTotp,
  wrongCode,
} from './second-factors.js';

const STRANGE = '198.51.100.7';

describe('Second factors', () => {
  const { app, ada, signIn, factorsOf } = useSecondFactors();

  describe('An authenticator app', () => {
    it('is requested after a correct password, and its code starts a session like a login without one', async () => {
      const before = await app.post('/auth/login', { email: ada.email, password: PASSWORD });
      const { secret } = await withTotp(app, ada);
      const code = nextCode(secret, app);
      const due = await app.post('/auth/login', { email: ada.email, password: PASSWORD });
      expectError(due, 'FACTOR_REQUIRED', {
        challenge: expect.stringMatching(/^[\w-]{43}$/),
        ...{ factors: ['totp', 'recovery_code'], passkeyOptions: null },
      });
      const { challenge } = due.body;
      const response = await signIn({ challenge, code });
      expect(response.status).toBe(200);
      expect(Object.keys(response.body)).toEqual(Object.keys(before.body));
      expect((await app.get('/auth/me', { token: response.body.accessToken })).status).toBe(200);
      expectError(await signIn({ challenge, code }), 'INVALID_CHALLENGE');
      const again = await challengeOf(app, ada);
      expectError(await signIn({ challenge: again.challenge, code }), 'WRONG_FACTOR');
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
      expectError(await app.post('/auth/factors/totp', {}, ada), 'TOTP_EXISTS');
      expect((await withPasskey(app, ada)).recoveryCodes).toBeNull();

      const { body } = await app.post('/auth/factors/recovery-codes', {}, ada);
      const { challenge } = await challengeOf(app, ada);
      const old = await signIn({ challenge, recoveryCode: recoveryCodes[0] });
      expectError(old, 'WRONG_FACTOR');
      const recoveryCode = String(body.recoveryCodes[0]).toLowerCase().replaceAll('-', ' ');
      expect((await signIn({ challenge, recoveryCode })).status).toBe(200);
      expect((await factorsOf(ada)).recoveryCodesLeft).toBe(9);
      const spent = await challengeOf(app, ada);
      expectError(await signIn({ challenge: spent.challenge, recoveryCode }), 'WRONG_FACTOR');

      const [{ _id }] = (await factorsOf(ada)).passkeys;
      for (const id of [_id, 'totp']) {
        expect((await app.delete(`/auth/factors/${id}`, ada)).status).toBe(204);
        expectError(await app.delete(`/auth/factors/${id}`, ada), 'FACTOR_NOT_FOUND');
      }
      const none = { enabled: false, createdAt: null };
      expect(await factorsOf(ada)).toEqual({ passkeys: [], totp: none, recoveryCodesLeft: 0 });
      const code = nextCode(secret, app);
      expectError(await signIn({ challenge: spent.challenge, code }), 'WRONG_FACTOR');
      await app.logIn(ada);
      expectError(await app.post('/auth/factors/recovery-codes', {}, ada), 'FACTOR_NOT_FOUND');
    });

    it('is stored sealed, and its recovery codes are hashed', async () => {
      const stored = async () => {
        const [store, { sid }] = [app.nest.get(Store), claimsOf(ada.token)];
        const session = await store.find(SESSIONS, { _id: sid });
        return JSON.stringify([session, await store.find(USERS, { _id: ada._id })]);
      };
      const { secret: first } = (await app.post('/auth/factors/totp', {}, ada)).body;
      expect(await stored()).not.toContain(first);
      const { secret, recoveryCodes } = await withTotp(app, ada);
      for (const text of [secret, ...recoveryCodes]) {
        expect(await stored()).not.toContain(text);
        expect(await stored()).not.toContain(text.replaceAll('-', ''));
      }
    });

    it('is confirmed only by a correct code in the session that started it', async () => {
      const confirm = (code: string, caller = ada) =>
        app.post('/auth/factors/totp/confirm', { code }, caller);
      expectError(await confirm('123456'), 'TOTP_NOT_STARTED');
      const { secret } = (await app.post('/auth/factors/totp', {}, ada)).body;
      const other = await app.logIn(ada);
      expectError(await confirm(codeOf(secret, app), other), 'TOTP_NOT_STARTED');
      expectError(await confirm(wrongCode(secret, app)), 'WRONG_FACTOR');
      expectInvalid(await confirm('12345'), 'code');
      await app.logIn(ada);
    });
  });

  describe('The challenge of a login', () => {
    it('is void after 5 attempts, after 5 minutes, and after any change of the password', async () => {
      const { secret, ...caller } = await withTotp(app, ada);
      const first = await challengeOf(app, ada);
      for (let tries = 0; tries < 5; tries += 1) {
        const wrong = { challenge: first.challenge, code: wrongCode(secret, app) };
        expectError(await signIn(wrong), 'WRONG_FACTOR');
      }
      const second = await challengeOf(app, ada);
      const code = nextCode(secret, app);
      expectError(await signIn({ challenge: first.challenge, code }), 'INVALID_CHALLENGE');
      app.clock.advance({ seconds: 270 });
      const late = { challenge: second.challenge, code: codeOf(secret, app) };
      expectError(await signIn(late), 'INVALID_CHALLENGE');

      const third = await challengeOf(app, ada);
      const passwords = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
      expect((await app.post('/auth/password', passwords, caller)).status).toBe(204);
      const after = { challenge: third.challenge, code: nextCode(secret, app) };
      expectError(await signIn(after), 'INVALID_CHALLENGE');
    });

    it('takes exactly one factor, and does not work for another login', async () => {
      const { secret } = await withTotp(app, ada);
      const eve = await withTotp(app, await app.register());
      const { challenge } = await challengeOf(app, ada);
      for (const body of [{}, { code: '123456', recoveryCode: 'x' }]) {
        expect((await signIn({ challenge, ...body })).status).toBe(400);
      }
      const ofEve = nextCode(eve.secret, app);
      expectError(await signIn({ challenge, code: ofEve }), 'WRONG_FACTOR');
      const stolen = { challenge, recoveryCode: eve.recoveryCodes[0] };
      expectError(await signIn(stolen), 'WRONG_FACTOR');
      expect((await signIn({ challenge, code: codeOf(secret, app) })).status).toBe(200);
    });
  });

  /** @param instances of one deployment */
  function signsInOnce(times: number, first: TestApp, ...others: TestApp[]): void {
    const instances = [first, ...others];
    const each = (index: number) => instances[index % instances.length]!;
    /** As many challenges; a login has at most four password checks in progress. */
    const challengesOf = (login: Developer) =>
      pLimit(4).map([...Array(times).keys()], async (index) => {
        const { challenge } = await challengeOf(each(index), login);
        expect(challenge).toHaveLength(43);
        return challenge;
      });

    it(`${times} concurrent uses of a TOTP code, a recovery code and a passkey response start one session each`, async () => {
      const bob = await first.register();
      const { secret, recoveryCodes } = await withTotp(first, bob);
      const { passkey } = await withPasskey(first, bob);
      for (const instance of others) instance.clock.advance({ seconds: 30 });
      const code = nextCode(secret, first);
      const { passkeyOptions } = (await first.post('/auth/login/passkey/options', {})).body;
      const response = passkey.get(passkeyOptions);
      const challenges = await challengesOf(bob);
      const withFactor = (factor: object) => (index: number) =>
        each(index).post('/auth/login/factor', { challenge: challenges[index], ...factor });
      const due = await challengeOf(first, bob);
      const second = { challenge: due.challenge, response: passkey.get(due.passkeyOptions) };
      for (const use of [
        withFactor({ code }),
        withFactor({ recoveryCode: recoveryCodes[3] }),
        (index: number) => each(index).post('/auth/login/passkey', { response }),
        (index: number) => each(index).post('/auth/login/factor', second),
      ]) {
        const { 200: sessions, ...rejected } = countsOf(await atOnce(times, use));
        expect(sessions).toBe(1);
        const { WRONG_FACTOR = 0, INVALID_CHALLENGE = 0 } = rejected;
        expect(WRONG_FACTOR + INVALID_CHALLENGE).toBe(times - 1);
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

    it(`${times} concurrent wrong codes count as ten guesses`, async () => {
      const { secret, ...bob } = await withTotp(first, await first.register());
      const challenges = await challengesOf(bob);
      const code = wrongCode(secret, first);
      const responses = await atOnce(times, (index) => {
        const guess = { challenge: challenges[index], code };
        return each(index).post('/auth/login/factor', guess, { from: STRANGE });
      });
      expect(countsOf(responses)).toEqual({ WRONG_FACTOR: 10, TOO_MANY_WRONG_CODES: times - 10 });
    });
  }

  describe('On SQLite', () => signsInOnce(50, app));

  describeOnMongo('On three instances on MongoDB', () => {
    const env = { ...(EVERY_ENGINE.includes('MongoDB') && newStore('MongoDB')), PUBLIC_URL };
    const on = () => useAppOn('MongoDB', env);
    signsInOnce(50, on(), on(), on());
  });
});
