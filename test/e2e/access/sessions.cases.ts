import { START } from '../../fake-clock.js';
import { claimsOf, NOBODYS, PASSWORD } from '../developer.js';
import { expectError } from '../expect-response.js';
import { useDeveloper } from '../use-app.js';

describe('Sessions', () => {
  const [app, ada] = useDeveloper();

  const list = async (caller = ada) => (await app.get('/auth/sessions', caller)).body.data;

  it('are listed with their login, latest use, address and program, and which one this is', async () => {
    app.clock.advance({ seconds: 60 });
    const call = { from: '2001:db8::1', headers: { 'User-Agent': `Browser ${'x'.repeat(300)}` } };
    const { body } = await app.post('/auth/login', { email: ada.email, password: PASSWORD }, call);
    const [second, first] = await list();
    expect(second).toEqual({
      ...{ _id: claimsOf(body.accessToken).sid, current: false },
      ...{ createdAt: '2026-01-31T10:16:00.000Z', lastUsedAt: '2026-01-31T10:16:00.000Z' },
      ...{ address: '2001:db8::/64', userAgent: `Browser ${'x'.repeat(192)}` },
    });
    expect(first).toMatchObject({ _id: claimsOf(ada.token).sid, current: true, createdAt: START });
    app.clock.advance({ seconds: 60 });
    const refreshToken = ada.refreshToken;
    const refresh = { from: '192.0.2.8', headers: { 'User-Agent': 'Phone' } };
    const { accessToken } = (await app.post('/auth/refresh', { refreshToken }, refresh)).body;
    const lastUsedAt = '2026-01-31T10:17:00.000Z';
    expect(await list({ ...ada, token: accessToken })).toMatchObject([
      { current: true, lastUsedAt, address: '192.0.2.8', userAgent: 'Phone' },
      { current: false },
    ]);
  });

  it('are those of the member alone: of others, and of none, they are 404', async () => {
    const grace = await app.addMember(ada, 'admin');
    expect(await list(grace)).toHaveLength(1);
    const missing: [number, string] = [404, 'SESSION_NOT_FOUND'];
    for (const id of [claimsOf(grace.token).sid, NOBODYS]) {
      expectError(await app.delete(`/auth/sessions/${id}`, ada), missing);
    }
    await app.delete('/auth/sessions', ada);
    expect((await app.get('/auth/me', grace)).status).toBe(200);
  });

  it('S5: take an access token at once, and for at most 15 minutes', async () => {
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
});
