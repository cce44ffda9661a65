import { claimsOf, type LoggedInDeveloper, logIn, registerDeveloper } from '../developer.js';
import { expectError, expectInvalid, expectResponse } from '../expect-response.js';
import { useApp } from '../use-app.js';

const DAY = 24 * 60 * 60;

describe('POST /auth/refresh and /auth/logout', () => {
  const app = useApp();
  let ada: LoggedInDeveloper;

  beforeEach(async () => {
    ada = await registerDeveloper(app);
  });

  const refresh = (refreshToken: unknown) => app.post('/auth/refresh', { refreshToken });
  const logOut = (refreshToken: unknown) => app.post('/auth/logout', { refreshToken });
  /** Spends a token, and returns the next one. */
  const next = async (refreshToken: string) => {
    const { status, body } = await refresh(refreshToken);
    expect(status).toBe(200);
    return body.refreshToken as string;
  };

  it('200: gives a new pair for the latest refresh token, of the same session', async () => {
    const { status, body } = await refresh(ada.refreshToken);

    expectResponse({ status, body }, 200, {
      message: 'Tokens refreshed successfully',
      ...{ accessToken: expect.any(String), tokenType: 'Bearer', expiresIn: 900 },
      refreshToken: expect.stringMatching(/^[\w-]{44}$/),
    });
    expect(body.refreshToken).not.toBe(ada.refreshToken);
    expect((await app.get('/auth/me', { token: body.accessToken })).status).toBe(200);
    expect(claimsOf(body.accessToken).sid).toBe(claimsOf(ada.token).sid);
  });

  it.each([undefined, '', 5, { $ne: null }])('400: rejects the token %j at both', async (token) => {
    for (const response of [await refresh(token), await logOut(token)]) {
      expectInvalid(response, 'refreshToken');
    }
  });

  it('401: rejects a token that it never issued, an access token too', async () => {
    for (const token of ['unknown', 'x'.repeat(10_000), ada.token]) {
      expectError(await refresh(token), [401, 'INVALID_REFRESH_TOKEN'], {
        message: 'Invalid refresh token',
      });
    }
  });

  it('401: ends a session that is not used for 30 days, and any 90 days after its login', async () => {
    let { refreshToken } = ada;
    for (let times = 0; times < 3; times += 1) {
      app.clock.advance({ seconds: 30 * DAY - 1 });
      refreshToken = await next(refreshToken);
    }
    app.clock.advance({ seconds: 2 });
    refreshToken = await next(refreshToken);
    app.clock.advance({ seconds: 1 });
    expect((await refresh(refreshToken)).status).toBe(401);

    const unused = await logIn(app, ada);
    app.clock.advance({ seconds: 30 * DAY });
    expect((await refresh(unused.refreshToken)).status).toBe(401);
  });

  it('401: ends the whole session when a spent token comes again, and no other session', async () => {
    const other = await logIn(app, ada);
    const latest = await next(await next(ada.refreshToken));

    expect((await refresh(ada.refreshToken)).status).toBe(401);
    expect((await refresh(latest)).status).toBe(401);
    expect((await refresh(other.refreshToken)).status).toBe(200);
  });

  it('204: a logout ends the session of any of its tokens and no other, and is repeated without an error', async () => {
    const other = await logIn(app, ada);
    const latest = await next(ada.refreshToken);
    const { status, body } = await logOut(ada.refreshToken);

    expectResponse({ status, body }, 204, undefined);
    expect((await refresh(latest)).status).toBe(401);
    expect((await refresh(other.refreshToken)).status).toBe(200);
    for (const token of [ada.refreshToken, 'unknown']) {
      expect((await logOut(token)).status).toBe(204);
    }
    // The access token is left its 15 minutes at most.
    expect((await app.get('/auth/me', { token: ada.token })).status).toBe(200);
    app.clock.advance({ seconds: 900 });
    expect((await app.get('/auth/me', { token: ada.token })).status).toBe(401);
  });
});
