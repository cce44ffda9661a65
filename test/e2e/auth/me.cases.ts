import { AccessTokenService } from '../../../src/auth/access-tokens/access-token.service.js';
import { newAccountId } from '../../../src/shared/ids/account-id.js';
import { newObjectId } from '../../../src/shared/ids/object-id.js';
import { ENGINES } from '../../engines.js';
import { useApp } from '../use-app.js';

const ADA = { name: 'Ada', email: 'ada@studio.example', password: 'seven quiet lanterns drift' };

describe.each(ENGINES)('GET /auth/me on %s', (engine) => {
  const app = useApp(engine);
  let registered: { user: object; accessToken: string };

  beforeAll(async () => {
    registered = (await app.post('/auth/register', ADA)).body;
  });

  it('200 returns the account alone', async () => {
    const { status, body } = await app.get('/auth/me', { token: registered.accessToken });

    expect(status).toBe(200);
    expect(body).toEqual(registered.user);
    expect(Object.keys(body)).toEqual(['_id', 'name', 'email', 'createdAt', 'updatedAt']);
  });

  it('401 for a token whose account is gone', async () => {
    const tokens = app.nest.get(AccessTokenService, { strict: false });
    const token = tokens.issue({ accountId: newAccountId(), session: newObjectId() });
    const response = await app.get('/auth/me', { token });

    expect(response.status).toBe(401);
    expect(response.body).toEqual({
      message: 'Unauthorized',
      code: 'UNAUTHORIZED',
      requestId: response.headers.get('x-request-id'),
    });
  });

  it('401 for a token in the query', async () => {
    const { accessToken } = registered;

    expect((await app.get(`/auth/me?access_token=${accessToken}`)).status).toBe(401);
  });

  it('401 for a token after 15 minutes', async () => {
    app.clock.advance({ seconds: 899 });
    expect((await app.get('/auth/me', { token: registered.accessToken })).status).toBe(200);
    app.clock.advance({ seconds: 1 });
    expect((await app.get('/auth/me', { token: registered.accessToken })).status).toBe(401);
  });
});
