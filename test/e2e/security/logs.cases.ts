import { useDeveloper } from '../use-app.js';
import type { HttpResponse } from '../../http-caller.js';
import { claimsOf, NEW_PASSWORD, PASSWORD } from '../developer.js';

const percentEncoded = (secret: string) =>
  [...secret].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');

const WRONG = 'one more guess';

describe('The log', () => {
  const [app, ada] = useDeveloper({ GUESS_LIMIT: '3' });
  let ofAda: { account: string; user: string };
  let ofSession: { account: string; user: string; session: string };
  /** An address per test, because failed logins are counted by address. */
  let from: string;
  let addresses = 0;
  let logged: number;

  afterAll(() => expect(app.log.join('')).not.toContain('@studio.example'));
  beforeEach(() => {
    ofAda = { account: ada._id, user: ada._id };
    ofSession = { ...ofAda, session: claimsOf(ada.token).sid };
    from = `192.0.2.${(addresses += 1)}`;
    logged = app.log.length;
  });

  const events = () =>
    app.log
      .slice(logged)
      .filter((line) => line.includes('"msg":"security"'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  /** Expects a request to log exactly these events, at level 30 by default. */
  async function expectEvents(
    request: Promise<HttpResponse>,
    ...expected: Readonly<Record<string, unknown>>[]
  ): Promise<HttpResponse> {
    const response = await request;
    const reqId = response.headers.get('x-request-id');
    const time = expect.any(String) as string;
    expect(events().filter((event) => event.reqId === reqId)).toEqual(
      expected.map((event) => ({ level: 30, time, msg: 'security', reqId, ip: from, ...event })),
    );
    return response;
  }

  const logIn = (password: string, email = ada.email, address = from) =>
    app.post('/auth/login', { email, password }, { from: address });
  const changePassword = (currentPassword: string, headers: Record<string, string> = {}) => {
    const passwords = { currentPassword, newPassword: NEW_PASSWORD };
    return app.post('/auth/password', passwords, { token: ada.token, from, headers });
  };

  it('S22: registrations, logins and failed logins log one line each with the account, without an email address', async () => {
    const eve = { name: 'Eve', email: 'eve@studio.example', password: PASSWORD };
    const { user } = (await app.post('/auth/register', eve, { from })).body;
    expect(events()).toMatchObject([{ event: 'registration', account: user._id, level: 30 }]);
    await expectEvents(logIn(PASSWORD), { event: 'login', ...ofAda });
    const failed = { event: 'login_failed', level: 40 };
    await expectEvents(logIn(WRONG), { ...failed, ...ofAda });
    const unknown = { ...failed, account: 'unknown' };
    await expectEvents(logIn(WRONG, 'nobody@studio.example'), unknown);
  });

  it('S22: a reused refresh token and a logout log one line each with account and session', async () => {
    const refresh = () => app.post('/auth/refresh', { refreshToken: ada.refreshToken }, { from });
    const replay = { event: 'refresh_token_replayed', level: 40, ...ofSession };
    await expectEvents(refresh());
    await expectEvents(refresh(), replay);
    await expectEvents(refresh());

    const { body } = await logIn(PASSWORD);
    const { sid: session } = claimsOf(body.accessToken as string);
    const logOut = () => app.post('/auth/logout', { refreshToken: body.refreshToken }, { from });
    const logout = { event: 'logout', ...ofAda, session };
    await expectEvents(logOut(), logout);
    await expectEvents(logOut());
  });

  it('S22: a password change logs one line, its repeat none, and a wrong password counts towards the lockout', async () => {
    const headers = { 'Idempotency-Key': 'change-of-a-password' };
    const changed = { event: 'password_changed', ...ofAda };
    await expectEvents(changePassword(PASSWORD, headers), changed);
    await expectEvents(changePassword(PASSWORD, headers));

    const wrong = { event: 'wrong_password', level: 40, ...ofAda };
    const lockout = { event: 'lockout', level: 40, ...ofAda, limit: 'address' };
    await expectEvents(changePassword(WRONG), wrong);
    await expectEvents(changePassword(WRONG), wrong);
    await expectEvents(changePassword(WRONG), wrong, lockout);
  });

  it('S22: a signing key rotation logs one line, and its repeat none', async () => {
    const { kid: current } = (await app.get('/signing-keys', ada)).body.current;
    const call = { token: ada.token, from, headers: { 'Idempotency-Key': 'a rotation' } };
    const rotation = { current, compromised: true, password: PASSWORD };
    const rotate = () => app.post('/signing-keys/rotate', rotation, call);
    const rotated = { event: 'signing_keys_rotated', ...ofAda, compromised: true };
    await expectEvents(rotate(), rotated);
    await expectEvents(rotate());
  });

  const lineOf = ({ headers }: { headers: Headers }) => {
    const id = String(headers.get('x-request-id'));
    const lines = app.log.filter((line) => line.includes(id));
    expect(lines).toHaveLength(1);
    return JSON.parse(lines[0]!) as Record<string, unknown>;
  };
  const at = async (path: string) => lineOf(await app.get(path, ada));

  it('S22: logs the route and record id, but no malformed id, and no path without a route', async () => {
    const id = '665f1c2ab7e4a90012345678';
    const any = {
      ...{ level: 30, time: expect.any(String), reqId: expect.any(String), msg: 'request' },
      ...{ method: 'GET', ms: expect.any(Number), ip: '127.0.0.1' },
    };

    expect(await at(`/licenses/${id}/events?limit=5`)).toEqual({
      ...{ ...any, route: '/licenses/:id/events', id, status: 404 },
    });
    expect(await at('/licenses/of-acme')).toEqual({ ...any, route: '/licenses/:id', status: 400 });
    expect(await at('/license/of-acme/x')).toEqual({ ...any, status: 404 });
    // This one reaches no request hook.
    expect(await at('/clients/%zz')).toEqual({ ...any, status: 400 });
  });

  // app.stop() also looks for the secrets, and lineOf() makes sure that there is a line.
  it('S12: contains no key or token sent in a path, query or header', async () => {
    const { token } = ada;
    const { key } = await app.createLicense(ada);
    const forms = [key, key.toLowerCase(), percentEncoded(key), key.replaceAll('-', '%2D'), token];
    for (const secret of forms) {
      for (const path of [
        ...[`/licenses/${secret}`, `/licenses/${secret}/events`, `/clients?search=${secret}`],
        ...[`/validate/${secret}`, `/nowhere;key=${secret}`, `/docs/${secret}`, `//${secret}`],
        ...[`/${'x/'.repeat(46)}${secret}`, `/%zz/${secret}`],
        `/licenses/${secret}${'x'.repeat(14_000)}`,
      ]) {
        const line = JSON.stringify(lineOf(await app.get(path)));
        expect(line.length).toBeLessThan(400);
        expect(decodeURIComponent(line).toLowerCase()).not.toContain(key.toLowerCase().slice(-14));
        expect(line).not.toContain(token.slice(-20));
      }
    }
    for (const secret of [key, token]) {
      for (const [name, value] of [
        ...['X-Api-Key', 'Idempotency-Key', 'X-Request-Id', 'X-Forwarded-Host', 'User-Agent'].map(
          (header) => [header, secret],
        ),
        ...['', 'fe80::1%', '192.0.2.7:'].map((begin) => ['X-Forwarded-For', begin + secret]),
        ['Authorization', `Bearer ${secret}`],
        ['Cookie', `session=${secret}`],
        ['Referer', `http://shop.example/${secret}`],
      ] as [string, string][]) {
        const response = await app.get('/auth/me', { headers: { [name]: value } });
        expect(JSON.stringify(lineOf(response))).not.toContain(secret);
      }
    }
  });
});
