import { runAccountCommand } from '../../../src/cli/accounts.js';
import { LicensesService } from '../../../src/licenses/licenses.service.js';
import { START } from '../../fake-clock.js';
import {
  claimsOf,
  type Developer,
  type LoggedInDeveloper,
  NOBODYS,
  NEW_PASSWORD,
  PASSWORD,
} from '../developer.js';
import { atOnce, countsOf, expectError } from '../responses.js';
import { useAppOn, useDeveloper } from '../use-app.js';
import type { TestApp } from '../../app.js';
import { describeOnMongo, EVERY_ENGINE, newStore } from '../../engines.js';

interface Ended {
  /** The credentials that are rejected afterwards. */
  readonly caller: { readonly token: string; readonly refreshToken?: string };
  readonly end: () => Promise<unknown>;
  /** The status of the rejection, 401 by default. */
  readonly status?: number;
  readonly path?: string;
}

const disabledWith = (app: TestApp, owner: Developer, caller: Ended['caller'], path?: string) => {
  const end = () => runAccountCommand(app.nest, 'disable', owner.email);
  return { caller, end, ...(path && { path }) };
};

/** Each way access ends. */
const WAYS: Record<string, (app: TestApp, owner: LoggedInDeveloper) => Promise<Ended>> = {
  'a session that is ended': async (app, owner) => {
    const caller = await app.logIn(owner);
    const path = `/auth/sessions/${claimsOf(caller.token).sid}`;
    return { caller, end: () => app.delete(path, owner) };
  },
  'the other sessions': async (app, owner) => ({
    caller: await app.logIn(owner),
    end: () => app.delete('/auth/sessions', owner),
  }),
  'a logout': async (app, { refreshToken, ...owner }) => ({
    caller: { refreshToken, ...owner },
    end: () => app.post('/auth/logout', { refreshToken }),
  }),
  'a removed member': async (app, owner) => {
    const caller = await app.addMember(owner);
    return { caller, end: () => app.delete(`/members/${caller._id}`, owner) };
  },
  'a member whose role was lowered': async (app, owner) => {
    const caller = await app.addMember(owner, 'admin');
    const end = () => app.patch(`/members/${caller._id}`, { role: 'support' }, owner);
    return { caller, end, status: 403, path: '/members' };
  },
  'a disabled member': async (app, owner) => {
    const caller = await app.addMember(owner);
    return { caller, end: () => runAccountCommand(app.nest, 'disable', caller.email) };
  },
  'a deleted login': async (app, owner) => {
    const caller = await app.addMember(owner);
    return { caller, end: () => runAccountCommand(app.nest, 'delete', caller.email) };
  },
  'a deleted API key': async (app, owner) => {
    const caller = await app.addApiKey(owner, ['licenses:read']);
    return { caller, end: () => app.delete(`/api-keys/${caller._id}`, owner), path: '/licenses' };
  },
  'a replayed refresh token': async (app, owner) => ({
    caller: owner,
    end: async () => [await app.refresh(owner), await app.refresh(owner)],
  }),
  'a change of the password elsewhere': async (app, owner) => {
    const passwords = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
    return {
      caller: await app.logIn(owner),
      end: () => app.post('/auth/password', passwords, owner),
    };
  },
  'a new password by the operator': async (app, owner) => ({
    caller: owner,
    end: () => runAccountCommand(app.nest, 'reset-password', owner.email),
  }),
  'the owner of a disabled account': async (app, owner) => disabledWith(app, owner, owner),
  'the member of a disabled account': async (app, owner) =>
    disabledWith(app, owner, await app.addMember(owner)),
  'an API key of a disabled account': async (app, owner) =>
    disabledWith(app, owner, await app.addApiKey(owner, ['licenses:read']), '/licenses'),
};

function rejectsEnded(app: TestApp, other: TestApp, ways: readonly string[]): void {
  it.each(ways)('reject %s as soon as the response is sent', async (way) => {
    const owner = await app.register();
    const { caller, end, status = 401, path = '/auth/me' } = await WAYS[way]!(app, owner);
    expect((await other.get(path, caller)).status).toBe(200);
    await end();
    for (const one of [other, app]) expect((await one.get(path, caller)).status).toBe(status);
    if (status === 401 && caller.refreshToken) {
      expect((await other.refresh(caller)).status).toBe(401);
    }
  });
}

function namesKeysInFlight(app: TestApp, other: TestApp): void {
  it('A removal lists every API key of the member, because none can be created afterwards', async () => {
    const owner = await app.register();
    const grace = await app.addMember(owner, 'admin');
    const body = { name: 'CI', scopes: ['licenses:read'] };
    const create = (at: number) => (at % 2 ? app : other).post('/api-keys', body, grace);
    const first = Array.from({ length: 40 }, (_, at) => create(at));
    await Promise.race(first);
    const removal = app.delete(`/members/${grace._id}`, owner);
    await Promise.all([...first, ...Array.from({ length: 40 }, (_, at) => create(at))]);
    const { status, body: removed } = await removal;
    const { data } = (await app.get('/api-keys', owner)).body;
    expect([status, removed.apiKeys]).toEqual([200, data]);
  });
}

describe('Sessions', () => {
  const [app, ada] = useDeveloper();

  const list = async (caller = ada) => (await app.get('/auth/sessions', caller)).body.data;

  it('are listed with login, latest use, address and program, and the current one is marked', async () => {
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

  it("are visible only to their member; others' and missing sessions are 404", async () => {
    const grace = await app.addMember(ada, 'admin');
    expect(await list(grace)).toHaveLength(1);
    for (const id of [claimsOf(grace.token).sid, NOBODYS]) {
      expectError(await app.delete(`/auth/sessions/${id}`, ada), 'SESSION_NOT_FOUND');
    }
    await app.delete('/auth/sessions', ada);
    expect((await app.get('/auth/me', grace)).status).toBe(200);
  });

  it('S5: accept an access token immediately, and for at most 15 minutes', async () => {
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

  it('S6: issue at most one token pair for 50 concurrent uses of a refresh token, and end', async () => {
    const refresh = (refreshToken: string) => app.post('/auth/refresh', { refreshToken });
    const responses = await atOnce(50, () => refresh(ada.refreshToken));
    const pairs = responses.filter(({ status }) => status === 200);
    expect(pairs.length).toBeLessThanOrEqual(1);
    expect(countsOf(responses).INVALID_REFRESH_TOKEN).toBe(50 - pairs.length);
    for (const { body } of pairs) expect((await refresh(body.refreshToken)).status).toBe(401);
  });

  it('are not revived when an account is enabled again', async () => {
    const member = await app.addMember(ada);
    const key = await app.addApiKey(ada, ['licenses:read']);
    await runAccountCommand(app.nest, 'disable', ada.email);
    for (const { email } of [ada, member]) {
      const logIn = (password: string) => app.post('/auth/login', { email, password });
      expectError(await logIn(PASSWORD), 'ACCOUNT_DISABLED');
      // Only someone with the password learns this.
      expectError(await logIn('one more guess'), 'INVALID_CREDENTIALS');
    }
    await runAccountCommand(app.nest, 'enable', ada.email);
    for (const one of [ada, member]) expect((await app.get('/auth/me', one)).status).toBe(401);
    expect((await app.get('/licenses', key)).status).toBe(200);
    await app.logIn(member);
  });

  describe('S25, S27', () => rejectsEnded(app, app, Object.keys(WAYS)));
  namesKeysInFlight(app, app);

  it.each(['a removed member', 'an API key of a disabled account'])(
    'An export is cut off before its second page for %s',
    async (way) => {
      const { caller, end } = await WAYS[way]!(app, ada);
      const licenses = app.nest.get(LicensesService, { strict: false });
      jest.spyOn(licenses, 'list').mockImplementationOnce(async () => {
        await end();
        return { data: [], next: { value: new Date(START), _id: ada._id } };
      });
      const exported = app.get('/licenses.csv', caller);
      await expect(exported).rejects.toMatchObject({ code: 'ECONNRESET' });
    },
  );
});

describeOnMongo('S25, S27: two instances on MongoDB', () => {
  const store = EVERY_ENGINE.includes('MongoDB') ? newStore('MongoDB') : {};
  const [app, other] = [useAppOn('MongoDB', store), useAppOn('MongoDB', store)];
  const ways = ['a session that is ended', 'a removed member', 'an API key of a disabled account'];
  rejectsEnded(app, other, ways);
  namesKeysInFlight(app, other);
});
