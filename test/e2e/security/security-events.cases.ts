import type { HttpResponse } from '../../http-caller.js';
import { claimsOf, PASSWORD } from '../developer.js';
import { useDeveloper } from '../use-app.js';

const WRONG = 'one more guess';

describe('S22: security events', () => {
  const [app, ada] = useDeveloper({ LOGIN_LIMIT: '3' });
  let ofAda: { account: string; user: string };
  let ofSession: { account: string; user: string; session: string };
  /** An address for each test, as its failed logins are counted. */
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

  /** Expects that a request causes exactly these events, at level 30 unless said otherwise. */
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
    const passwords = { currentPassword, newPassword: 'nine loud kettles whistle' };
    return app.post('/auth/password', passwords, { token: ada.token, from, headers });
  };

  it('a registration, a login and failed ones are one line each with the account, without an e-mail address', async () => {
    const eve = { name: 'Eve', email: 'eve@studio.example', password: PASSWORD };
    const { user } = (await app.post('/auth/register', eve, { from })).body;
    expect(events()).toMatchObject([{ event: 'registration', account: user._id, level: 30 }]);
    await expectEvents(logIn(PASSWORD), { event: 'login', ...ofAda });
    const failed = { event: 'login_failed', level: 40 };
    await expectEvents(logIn(WRONG), { ...failed, ...ofAda });
    const unknown = { ...failed, account: 'unknown' };
    await expectEvents(logIn(WRONG, 'nobody@studio.example'), unknown);
  });

  it('a refresh token that is used again, and a logout, are one line each with account and session', async () => {
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

  it('a change of a password is one line, its repeat none, and a wrong one counts towards the lockout', async () => {
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

  it('a rotation of the signing keys is one line, and its repeat none', async () => {
    const { kid: current } = (await app.get('/signing-keys', ada)).body.current;
    const call = { token: ada.token, from, headers: { 'Idempotency-Key': 'a rotation' } };
    const rotation = { current, compromised: true, password: PASSWORD };
    const rotate = () => app.post('/signing-keys/rotate', rotation, call);
    const rotated = { event: 'signing_keys_rotated', ...ofAda, compromised: true };
    await expectEvents(rotate(), rotated);
    await expectEvents(rotate());
  });
});
