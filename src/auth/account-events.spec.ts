import { aPrincipal } from '../../test/builders/principal.builder.js';
import { inRequest } from '../../test/contract/in-request.js';
import { PASSWORD, useServices } from '../../test/services.js';
import { type Event, EVENTS } from '../events/event.js';
import { AccountsService } from './accounts/accounts.service.js';
import type { User } from './accounts/user.js';
import { ApiKeysService } from './api-keys/api-keys.service.js';
import { LoginFailures } from './login-limit/login-failures.service.js';
import { InvitationsService } from './members/invitations.service.js';
import { MembersService } from './members/members.service.js';
import type { UserPrincipal } from './principal.js';
import { SESSIONS } from './sessions/session.js';
import { SessionsService } from './sessions/sessions.service.js';

describe('The events of an account', () => {
  const { store, clock, the, addAccount, addMember } = useServices();
  let ada: User;
  let caller: UserPrincipal;
  beforeEach(async () => {
    ada = await addAccount({ email: 'ada@studio.example', name: 'Ada' });
    caller = aPrincipal(ada);
  });

  /** Does something for a request of Ada's, and returns the events that it has stored. */
  const eventsOf = async (act: () => Promise<unknown>, principal?: UserPrincipal) => {
    const before = new Set(store.all(EVENTS).map(({ _id }) => _id));
    await inRequest(60_000, act, { ...(principal && { principal }), requestId: 'request' });
    return store.all(EVENTS).filter(({ _id }) => !before.has(_id));
  };
  const byAda = () => ({ actorType: 'user' as const, actor: ada._id, actorName: 'Ada' });
  const bySystem = { actorType: 'system', actor: null, actorName: null } as const;
  const expectEvents = (events: readonly Event[], ...expected: Partial<Event>[]) => {
    const own = { accountId: ada.account, requestId: 'request' };
    expect(events).toMatchObject(expected.map((event) => ({ ...own, ...event })));
  };

  it('have each API key that is created or deleted, without its secret', async () => {
    const apiKeys = the(ApiKeysService);
    const fields = { name: 'CI', scopes: ['plans:read'], expiresAt: null } as const;
    let secret = '';
    let _id = '';
    const created = await eventsOf(async () => {
      const made = await apiKeys.create(caller, fields);
      [secret, _id] = [made.secret!, made.apiKey._id];
    }, caller);
    const key = { subject: _id, subjectName: 'CI', ...byAda() };
    expectEvents(created, { ...key, type: 'api_key.created', data: fields });
    const deleted = await eventsOf(() => apiKeys.delete(_id, caller), caller);
    expectEvents(deleted, { ...key, type: 'api_key.deleted', data: {} });
    expect(JSON.stringify(store.all(EVENTS))).not.toContain(secret.slice(4, 20));
  });

  it('have each member that is invited, joins, gets another role or is removed', async () => {
    const members = the(MembersService);
    const email = 'grace@studio.example';
    let [text, _id] = ['', ''];
    const invited = await eventsOf(async () => {
      const made = await members.invite(caller, { email, role: 'viewer' });
      [text, _id] = [made.invitation!, made.member._id];
    }, caller);
    const grace = { subject: _id, subjectName: email };
    const data = { role: 'viewer' };
    expectEvents(invited, { ...grace, ...byAda(), type: 'member.invited', data });
    const joining = { name: 'Grace', password: PASSWORD };
    const joined = await eventsOf(() => the(InvitationsService).accept(text, joining));
    const byGrace = { actorType: 'user', actor: _id, actorName: 'Grace' } as const;
    expectEvents(joined, { ...grace, ...byGrace, type: 'member.joined', data });
    const changed = await eventsOf(() => members.changeRole(_id, 'admin', caller), caller);
    const roles = { role: ['viewer', 'admin'] };
    expectEvents(changed, { ...grace, ...byAda(), type: 'member.changed', data: roles });
    expectEvents(await eventsOf(() => members.changeRole(_id, 'admin', caller), caller));
    const removed = await eventsOf(() => members.remove(_id, caller), caller);
    const last = { role: 'admin', status: 'active' };
    expectEvents(removed, { ...grace, ...byAda(), type: 'member.removed', data: last });
    expect(JSON.stringify(store.all(EVENTS))).not.toContain(text);
  });

  it('have each login, and each session that its member ends', async () => {
    const [accounts, sessions] = [the(AccountsService), the(SessionsService)];
    const logIn = async () => (await sessions.start(ada, '192.0.2.1')).refreshToken;
    const login = await eventsOf(logIn);
    const account = { subject: ada._id, subjectName: 'Ada', ...byAda() };
    const data = { address: '192.0.2.1' };
    expectEvents(login, { ...account, type: 'account.logged_in', data });
    const ended = { ...byAda(), type: 'session.ended', data: { user: ada._id } } as const;
    const [session] = store.all(SESSIONS);
    const own = { ...caller, session: session!._id };
    const token = await logIn();
    await logIn();
    expectEvents(await eventsOf(() => sessions.end(token)), ended);
    expectEvents(await eventsOf(() => sessions.endOthers(own), own), ended);
    await logIn();
    const change = () => accounts.changePassword(ada, 'nine loud kettles whistle', own.session);
    const changed = { ...account, type: 'account.password_changed', data: {} } as const;
    expectEvents(await eventsOf(change, own), changed, ended);
    const last = { ...ended, subject: own.session };
    expectEvents(await eventsOf(() => sessions.endOne(own.session, own), own), last);
    expectEvents(await eventsOf(() => sessions.end(token)));
  });

  it('have what the operator does, a transfer and a deleted login included, by the system', async () => {
    const accounts = the(AccountsService);
    const account = { subject: ada._id, subjectName: 'Ada', ...bySystem } as const;
    const reset = await eventsOf(() => accounts.resetPassword(ada.email, PASSWORD));
    expectEvents(reset, { ...account, type: 'account.password_changed' });
    const disabled = await eventsOf(() => accounts.disable(ada.email));
    expectEvents(disabled, { ...account, type: 'account.disabled' });
    expectEvents(await eventsOf(() => accounts.disable(ada.email)));
    await accounts.enable(ada.email);
    const grace = await addMember(ada, { email: 'grace@studio.example', role: 'viewer' });
    const changed = { type: 'member.changed', ...bySystem } as const;
    expectEvents(
      await eventsOf(() => accounts.transfer(ada.email, grace.email)),
      { ...changed, subject: ada._id, data: { role: ['owner', 'admin'] } },
      { ...changed, subject: grace._id, data: { role: ['viewer', 'owner'] } },
    );
    const removed = { ...bySystem, type: 'member.removed', subject: ada._id } as const;
    expectEvents(await eventsOf(() => accounts.remove(ada.email)), removed);
  });

  it('have the failed logins of a day as one, with their number, first and last time', async () => {
    const failures = the(LoginFailures);
    const first = clock.now();
    failures.note(ada);
    clock.advance({ seconds: 60 });
    failures.note(ada);
    expect(store.all(EVENTS)).toEqual([]);
    await failures.write();
    clock.advance({ seconds: 60 });
    failures.note(ada);
    await failures.write();
    const event = { type: 'account.login_failed', subject: ada._id, ...bySystem, data: {} };
    const counted = { ...event, at: first, lastAt: clock.now(), count: 3 };
    expect(store.all(EVENTS)).toMatchObject([counted]);
    clock.advance({ seconds: 24 * 60 * 60 });
    failures.note(ada);
    await failures.write();
    expect(store.all(EVENTS)).toMatchObject([counted, { ...event, count: 1, lastAt: null }]);
  });
});
