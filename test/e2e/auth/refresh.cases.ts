import { claimsOf } from '../developer.js';
import { expectResponse } from '../expect-response.js';
import { useDeveloper } from '../use-app.js';

// Sessions have their cases in src/auth/sessions/sessions.service.spec.ts.
describe('POST /auth/refresh and /auth/logout', () => {
  const [app, ada] = useDeveloper();

  const refresh = (refreshToken: unknown) => app.post('/auth/refresh', { refreshToken });
  const logOut = (refreshToken: unknown) => app.post('/auth/logout', { refreshToken });

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

  it('S5: an access token is accepted at once, and for at most 15 minutes', async () => {
    app.clock.advance({ seconds: 0.4 });
    const { token } = await app.logIn(ada);
    const statusAfter = async (seconds: number) => {
      app.clock.advance({ seconds });
      return (await app.get('/auth/me', { token })).status;
    };
    expect(await statusAfter(0)).toBe(200);
    expect(await statusAfter(899.599)).toBe(200);
    expect(await statusAfter(0.001)).toBe(401);
  });

  it('204: a logout ends the session of any of its tokens and no other, and is repeated without an error', async () => {
    const other = await app.logIn(ada);
    const { refreshToken: latest } = (await refresh(ada.refreshToken)).body;
    const { status, body } = await logOut(ada.refreshToken);

    expectResponse({ status, body }, 204, undefined);
    expect((await refresh(latest)).status).toBe(401);
    expect((await refresh(other.refreshToken)).status).toBe(200);
    expect((await logOut('unknown')).status).toBe(204);
  });
});
