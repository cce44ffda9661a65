import { ENGINES } from '../../engines.js';
import { timesInScope } from '../../scope.js';
import { atOnce } from '../at-once.js';
import { claimsOf } from '../developer.js';
import { useApp } from '../use-app.js';

const PASSWORD = 'seven quiet lanterns drift';
const DAY = 24 * 60 * 60;
const ROUNDS = timesInScope(5);

interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

describe.each(ENGINES)('POST /auth/refresh and /auth/logout on %s', (engine) => {
  const app = useApp(engine);
  let credentials: { email: string; password: string };
  let accounts = 0;

  const refresh = (refreshToken: unknown) => app.post('/auth/refresh', { refreshToken });
  const logout = (refreshToken: unknown) => app.post('/auth/logout', { refreshToken });
  const login = async () => (await app.post('/auth/login', credentials)).body as Tokens;

  async function register(): Promise<Tokens> {
    accounts += 1;
    credentials = { email: `ada${accounts}@studio.example`, password: PASSWORD };
    const { body } = await app.post('/auth/register', { name: 'Ada', ...credentials });
    return body as Tokens;
  }

  describe('200', () => {
    it('gives a new pair for the latest refresh token, of the same session', async () => {
      const first = await register();
      const { status, body } = await refresh(first.refreshToken);

      expect(status).toBe(200);
      expect(body).toEqual({
        message: 'Tokens refreshed successfully',
        accessToken: expect.any(String),
        tokenType: 'Bearer',
        expiresIn: 900,
        refreshToken: expect.stringMatching(/^[\w-]{44}$/),
      });
      expect(body.refreshToken).not.toBe(first.refreshToken);
      expect((await app.get('/auth/me', { token: body.accessToken })).status).toBe(200);
      expect(claimsOf(body.accessToken).sid).toBe(claimsOf(first.accessToken).sid);
    });

    it('goes on for 90 days while no token is left unused for 30 days', async () => {
      let { refreshToken } = await register();
      for (let times = 0; times < 3; times += 1) {
        app.clock.advance({ seconds: 30 * DAY - 1 });
        const { status, body } = await refresh(refreshToken);
        expect(status).toBe(200);
        refreshToken = body.refreshToken;
      }
    });
  });

  describe('400', () => {
    it.each([[undefined], [null], [''], [5], [{ $ne: null }], [['a']]])(
      'says "Validation error" for the token %j, at both',
      async (token) => {
        for (const response of [await refresh(token), await logout(token)]) {
          expect(response.status).toBe(400);
          expect(response.body).toMatchObject({
            code: 'VALIDATION_ERROR',
            errors: { refreshToken: expect.anything() },
          });
        }
      },
    );
  });

  describe('401', () => {
    it('rejects a token that it never issued, an access token too', async () => {
      const { accessToken } = await register();
      for (const token of ['unknown', ' ', 'x'.repeat(10_000), accessToken]) {
        const { status, body } = await refresh(token);
        expect(status).toBe(401);
        expect(body).toMatchObject({
          message: 'Invalid refresh token',
          code: 'INVALID_REFRESH_TOKEN',
        });
      }
    });

    it('rejects a token after 30 days', async () => {
      const { refreshToken } = await register();
      app.clock.advance({ seconds: 30 * DAY });

      expect((await refresh(refreshToken)).status).toBe(401);
    });

    it('rejects every token 90 days after the login, however often the session was refreshed', async () => {
      let { refreshToken } = await register();
      for (let day = 29; day < 90; day += 29) {
        app.clock.advance({ seconds: 29 * DAY });
        const { status, body } = await refresh(refreshToken);
        expect(status).toBe(200);
        ({ refreshToken } = body);
      }
      app.clock.advance({ seconds: 3 * DAY - 1 });
      const { status, body } = await refresh(refreshToken);
      expect(status).toBe(200);
      app.clock.advance({ seconds: 1 });

      expect((await refresh(body.refreshToken)).status).toBe(401);
    });

    it('ends the whole session when a spent token comes again, and no other session', async () => {
      const stolen = await register();
      const other = await login();
      const { body: second } = await refresh(stolen.refreshToken);
      const { body: third } = await refresh(second.refreshToken);

      expect((await refresh(stolen.refreshToken)).status).toBe(401);
      expect((await refresh(third.refreshToken)).status).toBe(401);
      expect((await refresh(other.refreshToken)).status).toBe(200);
    });

    it(`S6: gives at most one pair for 50 concurrent uses, and ends the session, in ${ROUNDS} rounds`, async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const { refreshToken } = await register();
        const responses = await atOnce(50, () => refresh(refreshToken));

        const pairs = responses.filter(({ status }) => status === 200);
        const rejected = responses.filter(({ status }) => status === 401 || status === 503);
        expect(pairs.length).toBeLessThanOrEqual(1);
        expect(rejected).toHaveLength(50 - pairs.length);
        // On a machine under load some may come too late: these find it spent.
        expect((await refresh(refreshToken)).status).toBe(401);
        for (const { body } of pairs) expect((await refresh(body.refreshToken)).status).toBe(401);
      }
    });
  });

  describe('204', () => {
    it('logs out: the session of the token is over, and no other', async () => {
      const { refreshToken } = await register();
      const other = await login();
      const { status, body } = await logout(refreshToken);

      expect(status).toBe(204);
      expect(body).toBeUndefined();
      expect((await refresh(refreshToken)).status).toBe(401);
      expect((await refresh(other.refreshToken)).status).toBe(200);
    });

    it('logs out by a spent token of the session too', async () => {
      const { refreshToken } = await register();
      const { body } = await refresh(refreshToken);

      expect((await logout(refreshToken)).status).toBe(204);
      expect((await refresh(body.refreshToken)).status).toBe(401);
    });

    it('responds alike to an unknown and a logged-out token', async () => {
      const { refreshToken } = await register();
      await logout(refreshToken);

      expect((await logout(refreshToken)).status).toBe(204);
      expect((await logout('unknown')).status).toBe(204);
    });

    it('leaves the access token its 15 minutes at most', async () => {
      const { accessToken, refreshToken } = await register();
      await logout(refreshToken);

      expect((await app.get('/auth/me', { token: accessToken })).status).toBe(200);
      app.clock.advance({ seconds: 900 });
      expect((await app.get('/auth/me', { token: accessToken })).status).toBe(401);
    });
  });
});
