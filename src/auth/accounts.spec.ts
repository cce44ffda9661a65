import { beforeEachCommit } from '../../test/before-next-commit.js';
import { aPrincipal, aSession } from '../../test/builders.js';
import { inRequest } from '../../test/contract/in-request.js';
import { DEVICE, PASSWORD, useServices } from '../../test/services.js';
import { CountedEvents } from '../events/counted-events.service.js';
import { type Event, EVENTS, SYSTEM } from '../events/event.js';
import { TOTALS } from '../shared/quotas/account-totals.js';
import { increment, insert } from '../storage/changes.js';
import { type AccountAction, runAccountCommand } from '../cli/accounts.js';
import type { AccountOptions } from '../cli/login-changes.js';
import { AccountsService } from './accounts/accounts.service.js';
import { newAccountEvent, type User } from './accounts/user.js';
import { ApiKeysService } from './api-keys/api-keys.service.js';
import { MembersService } from './members/members.service.js';
import { PasswordsService } from './passwords/passwords.service.js';
import type { UserPrincipal } from './principal.js';
import { MAX_SESSIONS, SESSIONS } from './sessions/session.js';
import { SessionsService } from './sessions/sessions.service.js';

const { store, clock, the, put, addAccount, addMember, inSession } = useServices();

describe('The event log of an account', () => {
  let ada: User;
  let caller: UserPrincipal;
  beforeEach(async () => {
    ada = await addAccount({ email: 'ada@studio.example', name: 'Ada' });
    caller = aPrincipal(ada);
  });

  const byAda = () => ({ actorType: 'user' as const, actor: ada._id, actorName: 'Ada' });
  const bySystem = { actorType: 'system', actor: null, actorName: null } as const;
  const act = <T>(work: () => Promise<T>, principal?: UserPrincipal) =>
    inRequest(60_000, work, { ...(principal && { principal }), requestId: 'request' });
  const expectEvents = (...expected: Partial<Event>[]) => {
    const own = { accountId: ada.account, requestId: 'request' };
    expect(store.all(EVENTS)).toMatchObject(expected.map((event) => ({ ...own, ...event })));
  };

  it('records each API key created or deleted, without its secret', async () => {
    caller = await inSession(ada);
    const apiKeys = the(ApiKeysService);
    const fields = { name: 'CI', scopes: ['plans:read'], expiresAt: null } as const;
    const { secret, apiKey } = await act(() => apiKeys.create(caller, fields), caller);
    await act(() => apiKeys.delete(apiKey._id, caller), caller);
    const key = { subject: apiKey._id, subjectName: 'CI', ...byAda() };
    expectEvents(
      { ...key, type: 'api_key.created', data: fields },
      { ...key, type: 'api_key.deleted', data: {} },
    );
    expect(JSON.stringify(store.all(EVENTS))).not.toContain(secret!.slice(4, 20));
  });

  it('records each member who is invited, joins, changes role or is removed', async () => {
    caller = await inSession(ada);
    const members = the(MembersService);
    const email = 'grace@studio.example';
    const invited = await act(() => members.invite(caller, { email, role: 'viewer' }), caller);
    const [{ _id }, text] = [invited.member, invited.invitation!];
    await act(() => the(MembersService).accept(text, { name: 'Grace', password: PASSWORD }));
    const change = () => act(() => members.changeRole(_id, 'admin', caller), caller);
    await change();
    await change();
    await act(() => members.remove(_id, caller), caller);
    const grace = { subject: _id, subjectName: email };
    const byGrace = { actorType: 'user', actor: _id, actorName: 'Grace' } as const;
    expectEvents(
      { ...grace, ...byAda(), type: 'member.invited', data: { role: 'viewer' } },
      { ...grace, ...byGrace, type: 'member.joined', data: { role: 'viewer' } },
      { ...grace, ...byAda(), type: 'member.changed', data: { role: ['viewer', 'admin'] } },
      { ...grace, ...byAda(), type: 'member.removed', data: { role: 'admin', status: 'active' } },
    );
    expect(JSON.stringify(store.all(EVENTS))).not.toContain(text);
  });

  it('records each login, and each session its member ends', async () => {
    const sessions = the(SessionsService);
    const logIn = () => act(async () => (await sessions.start(ada, DEVICE)).refreshToken);
    await logIn();
    const own = { ...caller, session: store.all(SESSIONS)[0]!._id };
    const token = await logIn();
    await act(() => sessions.end(token));
    await logIn();
    await act(() => sessions.endOthers(own), own);
    await logIn();
    const passwords = { currentPassword: PASSWORD, newPassword: 'nine loud kettles whistle' };
    await act(() => the(PasswordsService).change(own, passwords, '192.0.2.1'), own);
    await act(() => sessions.endOne(own.session, own), own);
    await act(() => sessions.end(token));
    const account = { subject: ada._id, subjectName: 'Ada', ...byAda() };
    const login = {
      ...account,
      type: 'account.logged_in',
      data: { address: '192.0.2.1' },
    } as const;
    const ended = { ...byAda(), type: 'session.ended', data: { user: ada._id } } as const;
    expectEvents(
      ...[login, login, ended, login, ended, login],
      { ...account, type: 'account.password_changed', data: {} },
      ...[ended, { ...ended, subject: own.session }],
    );
  });

  it('records each session ended by a reused refresh token or by the session limit', async () => {
    const sessions = the(SessionsService);
    const { refreshToken } = await sessions.start(ada, DEVICE);
    const replayed = store.all(SESSIONS)[0]!;
    const refresh = () => act(() => sessions.refresh(refreshToken, DEVICE).catch(() => undefined));
    for (let uses = 0; uses < 3; uses++) await refresh();
    const expired = aSession(ada, { expiresAt: clock.now() });
    const surplus = aSession(ada, { expiresAt: new Date(clock.now().getTime() + 1) });
    const others = Array.from({ length: MAX_SESSIONS - 1 }, () => aSession(ada));
    await put(...[expired, surplus, ...others].map((session) => insert(SESSIONS, session)));
    await act(() => sessions.start(ada, DEVICE));
    const left = store.all(SESSIONS).map(({ _id }) => _id);
    expect(left).toEqual(expect.arrayContaining(others.map(({ _id }) => _id)));
    expect(left).not.toContain(surplus._id);
    const login = { type: 'account.logged_in' } as const;
    const ended = { ...bySystem, type: 'session.ended', data: { user: ada._id } } as const;
    expect(store.all(EVENTS)).toMatchObject([
      login,
      { ...ended, subject: replayed._id },
      { ...ended, subject: surplus._id },
      login,
    ]);
  });

  it('records the actions of the operator as the system, including transfers and deleted logins', async () => {
    const run = (action: AccountAction, options?: AccountOptions) =>
      act(() => runAccountCommand({ get: the }, action, ada.email, options));
    for (const action of ['reset-password', 'disable', 'disable', 'enable'] as const) {
      await run(action);
    }
    const grace = await addMember(ada, { email: 'grace@studio.example', role: 'viewer' });
    await run('transfer', { to: grace.email });
    await run('delete');
    const account = { subject: ada._id, subjectName: 'Ada', ...bySystem } as const;
    const changed = { type: 'member.changed', ...bySystem } as const;
    expectEvents(
      { ...account, type: 'account.password_changed' },
      { ...account, type: 'account.disabled' },
      { ...changed, subject: ada._id, data: { role: ['owner', 'admin'] } },
      { ...changed, subject: grace._id, data: { role: ['viewer', 'owner'] } },
      { ...bySystem, type: 'member.removed', subject: ada._id },
    );
  });

  it('records the failed logins of a day as one event with a count, first and last time', async () => {
    const failures = the(CountedEvents);
    const fail = () =>
      failures.record(newAccountEvent('account.login_failed', ada, clock.now(), { by: SYSTEM }));
    const first = clock.now();
    fail();
    clock.advance({ seconds: 60 });
    fail();
    expect(store.all(EVENTS)).toEqual([]);
    await failures.step();
    clock.advance({ seconds: 60 });
    fail();
    await failures.step();
    const event = { type: 'account.login_failed', subject: ada._id, ...bySystem, data: {} };
    const counted = { ...event, at: first, lastAt: clock.now(), count: 3 };
    expect(store.all(EVENTS)).toMatchObject([counted]);
    clock.advance({ seconds: 24 * 60 * 60 });
    fail();
    await failures.step();
    expect(store.all(EVENTS)).toMatchObject([counted, { ...event, count: 1, lastAt: null }]);
  });
});

describe('While an account writes licenses', () => {
  let owner: UserPrincipal;
  beforeEach(async () => {
    owner = await inSession(await addAccount({ email: 'ada@studio.example' }));
    beforeEachCommit(store, increment(TOTALS, owner.accountId, { licensesCount: 1 }));
  });

  it.each<[what: string, work: () => Promise<unknown>]>([
    [
      'an API key is created',
      () => the(ApiKeysService).create(owner, { name: 'CI', scopes: [], expiresAt: null }),
    ],
    [
      'a member is invited',
      () => the(MembersService).invite(owner, { email: 'bob@studio.example', role: 'viewer' }),
    ],
    ['it is disabled', () => runAccountCommand({ get: the }, 'disable', 'ada@studio.example')],
  ])('%s', async (_what, work) => {
    await expect(inRequest(400, work)).resolves.toBeDefined();
  });
});

it('AccountsService rejects a first account if another instance creates one after the count', async () => {
  const first = (email: string) =>
    the(AccountsService).createFirst({ name: 'Ada', email, password: PASSWORD });
  jest.spyOn(store, 'count').mockImplementationOnce(async () => {
    await first('bob@studio.example');
    return 0;
  });
  const rejected = { code: 'REGISTRATION_CLOSED' };
  await expect(first('ada@studio.example')).rejects.toMatchObject(rejected);
});
