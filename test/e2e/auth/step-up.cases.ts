import { runAccountCommand } from '../../../src/cli/accounts.js';
import { Authenticator, type Deviation } from '../../authenticator.js';
import { type LoggedInDeveloper, NEW_PASSWORD, PASSWORD } from '../developer.js';
import { expectError, expectResponse } from '../responses.js';
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

const MINUTES_10 = { seconds: 600 };
describe('Passkeys and confirmations', () => {
  const { app, ada, signIn, factorsOf } = useSecondFactors();

  describe('A passkey', () => {
    it('signs in after the password, or alone, and confirms', async () => {
      const { passkey, recoveryCodes } = await withPasskey(app, ada);
      expect(recoveryCodes).toHaveLength(10);
      const { challenge, factors, passkeyOptions } = await challengeOf(app, ada);
      expect(factors).toEqual(['passkey', 'recovery_code']);
      const response = passkey.get(passkeyOptions);
      expect((await signIn({ challenge, response })).status).toBe(200);
      expectError(await signIn({ challenge, response }), 'INVALID_CHALLENGE');

      const options = (await app.post('/auth/login/passkey/options', {})).body.passkeyOptions;
      expect(options).toMatchObject({ rpId: 'licenses.example.com', userVerification: 'required' });
      const alone = { response: passkey.get(options) };
      const login = await app.post('/auth/login/passkey', alone);
      expect([login.status, login.body.user?._id]).toEqual([200, ada._id]);
      expectError(await app.post('/auth/login/passkey', alone), 'WRONG_FACTOR');
      const console = (await app.post('/console/session/passkey/options', {})).body.passkeyOptions;
      const session = await app.post('/console/session/passkey', {
        response: passkey.get(console),
      });
      expect([session.status, session.headers.getSetCookie().length]).toEqual([200, 1]);

      app.clock.advance(MINUTES_10);
      const stepUp = (await app.post('/auth/step-up/options', {}, ada)).body.passkeyOptions;
      const confirmed = { response: passkey.get(stepUp) };
      expect((await app.post('/auth/step-up', confirmed, ada)).status).toBe(204);
      expectError(await app.post('/auth/step-up', confirmed, ada), 'WRONG_FACTOR');
    });

    it.each<[string, Deviation]>([
      ['another origin', { origin: 'https://licenses.example.com.evil.example' }],
      ['another port of the origin', { origin: `${PUBLIC_URL}:8443` }],
      ['another RP id', { rpId: 'example.com' }],
      ['a challenge of their own', { challenge: 'kZ0vKX3Yb0m4o6T2Qw8nHc5sJr1uLd9eAfGgBhViPxE' }],
      ['no user verification', { isUserVerified: false }],
      ['a counter that goes back', { counter: 4 }],
    ])('is rejected with %s', async (_wrong, deviation) => {
      const { passkey } = await withPasskey(app, ada);
      passkey.counter = 5;
      const { challenge, passkeyOptions } = await challengeOf(app, ada);
      const right = { challenge, response: passkey.get(passkeyOptions) };
      expect((await signIn(right)).status).toBe(200);
      passkey.counter = 6;
      const second = await challengeOf(app, ada);
      const response = passkey.get(second.passkeyOptions, deviation);
      expectError(await signIn({ challenge: second.challenge, response }), 'WRONG_FACTOR');
      const options = (await app.post('/auth/login/passkey/options', {})).body.passkeyOptions;
      const alone = { response: passkey.get(options, deviation) };
      expectError(await app.post('/auth/login/passkey', alone), 'WRONG_FACTOR');
      if (deviation.counter) return;
      const creation = (await app.post('/auth/factors/passkeys/options', {}, ada)).body;
      const created = new Authenticator(PUBLIC_URL).create(creation.passkeyOptions, deviation);
      const added = await app.post(
        '/auth/factors/passkeys',
        { name: 'Key', response: created },
        ada,
      );
      expectError(added, 'PASSKEY_REJECTED');
    });

    it('is offered only at PUBLIC_URL', async () => {
      const isOffered = async (host: string, protocol = 'https') => {
        const headers = { 'X-Forwarded-Host': host, 'X-Forwarded-Proto': protocol };
        return (await app.get('/auth/registration', { headers })).body.passkeys as boolean;
      };
      const { host } = new URL(PUBLIC_URL);
      expect(await isOffered(host)).toBe(true);
      expect(await isOffered(`${host}:8443`)).toBe(false);
      expect(await isOffered(`www.${host}`)).toBe(false);
      expect(await isOffered(host, 'http')).toBe(false);
    });

    it('signs only what its options were for', async () => {
      const { passkey } = await withPasskey(app, ada);
      const eve = await withPasskey(app, await app.register());
      const [login, next, stepUp] = [
        (await app.post('/auth/login/passkey/options', {})).body.passkeyOptions,
        (await app.post('/auth/login/passkey/options', {})).body.passkeyOptions,
        (await app.post('/auth/step-up/options', {}, ada)).body.passkeyOptions,
      ];
      const confirm = (response: object, caller: LoggedInDeveloper = ada) =>
        app.post('/auth/step-up', { response }, caller);
      expectError(await confirm(passkey.get(login)), 'WRONG_FACTOR');
      expectError(await confirm(passkey.get(stepUp), eve), 'WRONG_FACTOR');
      expectError(await confirm(eve.passkey.get(stepUp)), 'WRONG_FACTOR');
      const other = (await app.post('/auth/login/passkey', { response: passkey.get(login) })).body;
      const elsewhere = { ...ada, token: String(other.accessToken) };
      expectError(await confirm(passkey.get(stepUp), elsewhere), 'WRONG_FACTOR');
      const alone = await app.post('/auth/login/passkey', { response: passkey.get(stepUp) });
      expectError(alone, 'WRONG_FACTOR');
      app.clock.advance({ seconds: 300 });
      const late = await app.post('/auth/login/passkey', { response: passkey.get(next) });
      expectError(late, 'WRONG_FACTOR');
    });

    it('is added once, in the session that asked for it, up to ten per login', async () => {
      const options = async () =>
        (await app.post('/auth/factors/passkeys/options', {}, ada)).body.passkeyOptions;
      const created = async () => new Authenticator(PUBLIC_URL).create(await options());
      const add = (response: object, caller = ada) =>
        app.post('/auth/factors/passkeys', { name: 'Key', response }, caller);
      const other = await app.logIn(ada);
      const attested = new Authenticator(PUBLIC_URL).create(await options(), { isAttested: true });
      expectError(await add(attested), 'PASSKEY_REJECTED');
      const response = await created();
      expectError(await add(response, other), 'PASSKEY_REJECTED');
      expect((await add(response)).status).toBe(201);
      const { excludeCredentials } = await options();
      expect(excludeCredentials).toMatchObject([{ id: response.id }]);
      const { _id } = (await factorsOf(ada)).passkeys[0];
      expect((await app.delete(`/auth/factors/${_id}`, ada)).status).toBe(204);
      expectError(await add(response), 'PASSKEY_REJECTED');

      const [tenth, eleventh] = [await created(), await created()];
      for (let count = 0; count < 9; count += 1) await withPasskey(app, ada);
      expect((await add(tenth)).status).toBe(201);
      expectError(await add(eleventh), 'PASSKEY_QUOTA_REACHED');
      const full = await app.post('/auth/factors/passkeys/options', {}, ada);
      expectError(full, 'PASSKEY_QUOTA_REACHED');
    });
  });

  describe('A sensitive change', () => {
    // test/e2e/access/roles-and-scopes.cases.ts lists these changes.
    it('needs a confirmation from the last ten minutes, which the password of the session gives', async () => {
      const send = (by: LoggedInDeveloper) =>
        app.post('/api-keys', { name: 'CI', scopes: ['plans:read'] }, by);
      app.clock.advance({ seconds: 599 });
      expect((await send(ada)).status).toBe(201);
      app.clock.advance({ seconds: 1 });
      expectError(await send(ada), 'STEP_UP_REQUIRED', { factors: [] });
      const wrong = await app.post('/auth/step-up', { password: NEW_PASSWORD }, ada);
      expectError(wrong, 'WRONG_PASSWORD', { field: 'password' });
      expect((await app.post('/auth/step-up', { password: PASSWORD }, ada)).status).toBe(204);
      expect((await send(ada)).status).toBe(201);
    });

    it('takes the second factor instead of the password, and each code only once, including at sign-in', async () => {
      const { secret, recoveryCodes } = await withTotp(app, ada);
      app.clock.advance(MINUTES_10);
      const { challenge } = await challengeOf(app, ada);
      const stepUp = (body: object) => app.post('/auth/step-up', body, ada);
      expectError(await stepUp({ password: PASSWORD }), 'FACTOR_REQUIRED', {
        factors: ['totp'],
      });
      expect((await stepUp({ recoveryCode: recoveryCodes[0] })).status).toBe(400);
      expectError(await stepUp({ code: wrongCode(secret, app) }), 'WRONG_FACTOR');
      expectError(await app.invite(ada), 'STEP_UP_REQUIRED', { factors: ['totp'] });
      const code = codeOf(secret, app);
      expect((await stepUp({ code })).status).toBe(204);
      expectError(await stepUp({ code }), 'WRONG_FACTOR');
      expectError(await signIn({ challenge, code }), 'WRONG_FACTOR');
    });

    it('S27: signing keys rotate with a factor instead of the password', async () => {
      const { current } = (await app.get('/signing-keys', ada)).body;
      const { secret } = await withTotp(app, ada);
      const rotate = (proof: object) => {
        const call = { token: ada.token, headers: { 'Idempotency-Key': 'rotation' } };
        return app.post('/signing-keys/rotate', { current: current.kid, ...proof }, call);
      };
      expectError(await rotate({ password: PASSWORD }), 'FACTOR_REQUIRED', {
        factors: ['totp'],
      });
      expect((await rotate({})).status).toBe(400);
      const code = nextCode(secret, app);
      const first = await rotate({ code });
      expect(first.status).toBe(200);
      expectResponse(await rotate({ code }), 200, first.body);
    });
  });

  describe('A policy that requires a second factor', () => {
    const setPolicy = (mfa: string, caller: LoggedInDeveloper) =>
      app.send('PUT', '/account/policy', JSON.stringify({ mfa }), caller);

    it('lets members without one only set one up, and does not affect API keys', async () => {
      const grace = await app.addMember(ada, 'admin');
      const key = await app.addApiKey(ada, ['licenses:read']);
      expectError(await setPolicy('required', ada), 'FACTOR_SETUP_REQUIRED');
      expectError(await setPolicy('required', grace), 'INSUFFICIENT_ROLE', {
        role: 'owner',
      });
      await withTotp(app, ada);
      expectResponse(await setPolicy('required', ada), 200, { mfa: 'required' });
      for (const path of ['/licenses', '/members', '/auth/sessions']) {
        expect((await app.get(path, ada)).status).toBe(200);
        expectError(await app.get(path, grace), 'FACTOR_SETUP_REQUIRED');
      }
      expect((await app.get('/licenses', key)).status).toBe(200);
      const members = (await app.get('/members', ada)).body.data as { secondFactor: boolean }[];
      expect(members.map(({ secondFactor }) => secondFactor)).toEqual([true, false]);
      expect((await app.get('/account/policy', grace)).body).toEqual({ mfa: 'required' });
      expect((await app.get('/auth/me', grace)).status).toBe(200);
      await withTotp(app, grace);
      expect((await app.get('/licenses', grace)).status).toBe(200);
    });
  });

  describe('The operator', () => {
    it('disables a member, whose second factors then sign nobody in', async () => {
      const grace = await app.addMember(ada);
      const { secret } = await withTotp(app, grace);
      const { passkey } = await withPasskey(app, grace);
      const { challenge } = await challengeOf(app, grace);
      await runAccountCommand(app.nest, 'disable', grace.email);
      const code = nextCode(secret, app);
      expectError(await signIn({ challenge, code }), 'ACCOUNT_DISABLED');
      const options = (await app.post('/auth/login/passkey/options', {})).body.passkeyOptions;
      const alone = await app.post('/auth/login/passkey', { response: passkey.get(options) });
      expectError(alone, 'ACCOUNT_DISABLED');
    });

    it('removes the factors of a login whose phone is lost, and ends its sessions', async () => {
      await withTotp(app, ada);
      await withPasskey(app, ada);
      const text = await runAccountCommand(app.nest, 'reset-factors', ada.email);
      expect(text).toContain('Second factors removed');
      expect((await app.get('/auth/me', ada)).status).toBe(401);
      const caller = await app.logIn(ada);
      expect(await factorsOf(caller)).toMatchObject({ passkeys: [], recoveryCodesLeft: 0 });
      const { body } = await app.get('/events?type=account.factors_reset', caller);
      expect(body.data).toMatchObject([{ subject: { id: ada._id }, actor: { type: 'system' } }]);
    });
  });
});
