import { ENGINES } from '../../engines.js';
import type { HttpResponse, Call } from '../../http-caller.js';
import { claimsOf, type LoggedInDeveloper, PASSWORD, registerDeveloper } from '../developer.js';
import { useApp } from '../use-app.js';

describe.each(ENGINES)('S22: security events on %s', (engine) => {
  const app = useApp(engine, { LOGIN_LIMIT: '3' });
  let ada: LoggedInDeveloper;
  let session: string;
  /** An address for each test, as its failed logins are counted. */
  let from: string;
  let addresses = 0;
  let logged: number;

  beforeEach(async () => {
    ada = await registerDeveloper(app);
    session = claimsOf(ada.token).sid;
    from = `192.0.2.${(addresses += 1)}`;
    logged = app.log.length;
  });

  const events = () =>
    app.log
      .slice(logged)
      .filter((line) => line.includes('"msg":"security"'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  /** Makes a request, and returns its response and the events that it caused. */
  async function caused(
    request: Promise<HttpResponse>,
  ): Promise<[HttpResponse, Record<string, unknown>[]]> {
    const response = await request;
    const id = response.headers.get('x-request-id');
    return [response, events().filter(({ reqId }) => reqId === id)];
  }

  const event = (response: HttpResponse, level: number, details: object) => ({
    ...{ level, time: expect.any(String) as string, msg: 'security' },
    ...{ reqId: response.headers.get('x-request-id'), ip: from, ...details },
  });

  const logIn = (email: string, password: string, address = from) =>
    app.post('/auth/login', { email, password }, { from: address });

  const changePassword = (currentPassword: string, newPassword: string, call: Call = {}) =>
    app.post(
      '/auth/password',
      { currentPassword, newPassword },
      { token: ada.token, from, ...call },
    );

  it('a registration is one line with the new account', async () => {
    const account = { name: 'Eve', email: 'eve@studio.example', password: PASSWORD };
    const [response, lines] = await caused(app.post('/auth/register', account, { from }));

    const details = { event: 'registration', account: response.body.user._id as string };
    expect(lines).toEqual([event(response, 30, details)]);
  });

  it('a login is one line with its account', async () => {
    const [response, lines] = await caused(logIn(ada.email, PASSWORD));

    expect(lines).toEqual([event(response, 30, { event: 'login', account: ada._id })]);
  });

  it('a failed login is one line with the account that was tried', async () => {
    const [response, lines] = await caused(logIn(ada.email, 'one more guess'));

    expect(lines).toEqual([event(response, 40, { event: 'login_failed', account: ada._id })]);
  });

  it('a failed login of an unknown account is one line without its e-mail address', async () => {
    const [response, lines] = await caused(logIn('nobody@studio.example', 'one more guess'));

    expect(lines).toEqual([event(response, 40, { event: 'login_failed', account: 'unknown' })]);
  });

  it('the lockout of an address is one line, however many requests follow', async () => {
    const failures = [];
    for (let i = 0; i < 3; i += 1) failures.push(await caused(logIn(ada.email, 'one more guess')));
    for (let i = 0; i < 20; i += 1) expect((await logIn(ada.email, PASSWORD)).status).toBe(429);

    const [last] = failures[2]!;
    expect(events().filter(({ event }) => event === 'lockout')).toEqual([
      event(last, 40, { event: 'lockout', account: ada._id, limit: 'address' }),
    ]);
    expect(failures.map(([, lines]) => lines.length)).toEqual([1, 1, 2]);
    expect(events().filter(({ event }) => event === 'login_failed')).toHaveLength(3);
  });

  it('the lockout of an account is one line, from however many addresses it is tried', async () => {
    for (let i = 0; i < 20; i += 1) await logIn(ada.email, 'one more guess', `203.0.113.${i}`);

    expect(events().filter(({ event }) => event === 'lockout')).toEqual([
      expect.objectContaining({ account: ada._id, limit: 'account', ip: '203.0.113.8', level: 40 }),
    ]);
  });

  it('a refresh token that is used again is one line with its account and session', async () => {
    const refresh = () => app.post('/auth/refresh', { refreshToken: ada.refreshToken }, { from });
    const [, first] = await caused(refresh());
    const [replay, lines] = await caused(refresh());
    const [, third] = await caused(refresh());

    const details = { account: ada._id, session };
    expect(lines).toEqual([event(replay, 40, { event: 'refresh_token_replayed', ...details })]);
    expect([...first, ...third]).toEqual([]);
  });

  it('a logout is one line with its account and session', async () => {
    const logOut = () => app.post('/auth/logout', { refreshToken: ada.refreshToken }, { from });
    const [response, lines] = await caused(logOut());
    const [, again] = await caused(logOut());

    const details = { account: ada._id, session };
    expect(lines).toEqual([event(response, 30, { event: 'logout', ...details })]);
    expect(again).toEqual([]);
  });

  it('a change of a password is one line, and its repeat none', async () => {
    const call = { headers: { 'Idempotency-Key': 'change-of-a-password' } };
    const change = () => changePassword(PASSWORD, 'nine loud kettles whistle', call);
    const [response, lines] = await caused(change());
    const [repeat, again] = await caused(change());

    expect(lines).toEqual([event(response, 30, { event: 'password_changed', account: ada._id })]);
    expect(repeat.status).toBe(204);
    expect(again).toEqual([]);
  });

  it('a wrong current password is one line, and counts towards the lockout', async () => {
    const wrong = () => caused(changePassword('one more guess', 'nine loud kettles whistle'));
    const [response, lines] = await wrong();
    const [, second] = await wrong();
    const [, third] = await wrong();

    expect(lines).toEqual([event(response, 40, { event: 'wrong_password', account: ada._id })]);
    expect([...second, ...third].map(({ event }) => event)).toEqual([
      ...['wrong_password', 'wrong_password', 'lockout'],
    ]);
  });

  it('a rotation of the signing keys is one line, and its repeat none', async () => {
    const { kid } = (await app.get('/signing-keys', ada)).body.current;
    const rotate = (current: string, fields: object = {}) =>
      app.post(
        '/signing-keys/rotate',
        { current, ...fields },
        { token: ada.token, from, headers: { 'Idempotency-Key': `rotation of ${current}` } },
      );
    const [response, lines] = await caused(rotate(kid as string));
    const [, again] = await caused(rotate(kid as string));
    const { current } = response.body;
    const [compromised, more] = await caused(rotate(current.kid as string, { compromised: true }));

    const details = { event: 'signing_keys_rotated', account: ada._id };
    expect(lines).toEqual([event(response, 30, { ...details, compromised: false })]);
    expect(again).toEqual([]);
    expect(more).toEqual([event(compromised, 30, { ...details, compromised: true })]);
  });

  it('hold no e-mail address, no password and no token', async () => {
    await logIn(ada.email, PASSWORD);
    await logIn(ada.email, 'one more guess');
    await logIn('nobody@studio.example', 'one more guess');
    await app.post('/auth/logout', { refreshToken: ada.refreshToken });

    const text = app.log.join('');
    for (const secret of [
      '@studio.example',
      ada.email,
      PASSWORD,
      'one more guess',
      ada.refreshToken,
    ]) {
      expect(text).not.toContain(secret);
    }
  });
});
