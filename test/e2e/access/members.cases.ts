import { INVITATION_LIFE } from '../../../src/auth/members/member.js';
import { runAccountCommand } from '../../../src/cli/accounts.js';
import { START } from '../../fake-clock.js';
import { atOnce, countsOf, expectError, expectInvalid } from '../responses.js';
import { PASSWORD } from '../developer.js';
import { useDeveloper } from '../use-app.js';
import { newEmail } from '../../http-caller.js';

describe('Members', () => {
  const [app, ada] = useDeveloper();

  const list = async () =>
    (await app.get('/members', ada)).body.data as { _id: string; status: string }[];
  const invalid = 'INVALID_INVITATION';

  it('are invited, join with the same id, and then belong to the account', async () => {
    const email = newEmail();
    const { status, body } = await app.invite(ada, 'support', email.toUpperCase());
    expect(status).toBe(201);
    const { member, invitation } = body;
    expect(invitation).toMatch(/^[\w-]{43}$/);
    const expiresAt = new Date(Date.parse(START) + INVITATION_LIFE).toISOString();
    expect(member).toEqual({
      ...{ _id: expect.any(String), email, name: null, role: 'support', status: 'invited' },
      ...{ secondFactor: false, createdAt: START, expiresAt },
    });
    expect(await list()).toEqual([expect.objectContaining({ role: 'owner' }), member]);

    const joined = await app.accept(invitation);
    expect([joined.status, joined.body.user]).toMatchObject([
      201,
      { _id: member._id, name: 'Grace', email, role: 'support', account: ada._id },
    ]);
    const active = { ...member, name: 'Grace', status: 'active', expiresAt: null };
    expect((await list())[1]).toEqual(active);
    const license = await app.createLicense(ada);
    const call = { token: joined.body.accessToken };
    expect((await app.get(`/licenses/${license._id}`, call)).body.key).toBe(license.key);
    expect((await app.get('/auth/me', call)).body).toEqual({
      ...joined.body.user,
      accountName: 'Ada',
    });
  });

  it.each<[string, (body: { member: { _id: string; email: string } }) => Promise<unknown>]>([
    ['after 7 days', async () => app.clock.advance({ seconds: INVITATION_LIFE / 1000 })],
    ['once it is withdrawn', ({ member }) => app.delete(`/members/${member._id}`, ada)],
    ['once another one replaces it', ({ member }) => app.invite(ada, 'viewer', member.email)],
    ['while the account is disabled', () => runAccountCommand(app.nest, 'disable', ada.email)],
  ])('an invitation is void %s', async (_when, end) => {
    const { body } = await app.invite(ada);
    await end(body);
    expectError(await app.accept(body.invitation), invalid);
    expectError(await app.accept('nonsense'), invalid);
  });

  it('400: a password derived from the email address, or a role that cannot be assigned', async () => {
    const email = 'margaret.hamilton@studio.example';
    const { invitation } = (await app.invite(ada, 'viewer', email)).body;
    expectInvalid(await app.accept(invitation, { password: 'margaret.hamilton' }), 'password');
    for (const role of ['owner', 'root', null]) {
      const body = { email: newEmail(), role };
      expectInvalid(await app.post('/members', body, ada), 'role');
    }
  });

  it('409: an address that already has a login in any account, even if registered after the invitation', async () => {
    const eve = await app.register();
    const taken = 'EMAIL_ALREADY_REGISTERED';
    for (const { email } of [ada, eve]) {
      expectError(await app.invite(ada, 'viewer', email), taken, { field: 'email' });
    }
    const email = newEmail();
    const { invitation } = (await app.invite(ada, 'viewer', email)).body;
    await app.post('/auth/register', { name: 'Eve', email, password: PASSWORD });
    expectError(await app.accept(invitation), taken, { field: 'email' });
  });

  it('403: at most 100, including invitations; an existing invitation can still be replaced', async () => {
    const first = newEmail();
    await app.invite(ada, 'viewer', first);
    for (let i = 0; i < 95; i++) await app.invite(ada);
    const responses = await atOnce(10, () => app.invite(ada));
    expect(countsOf(responses)).toEqual({ 201: 3, MEMBER_QUOTA_REACHED: 7 });
    expect((await app.invite(ada, 'admin', first)).status).toBe(201);
    expect(await list()).toHaveLength(100);
  });

  it('409: the owner keeps the role, even if the owner asks to change it', async () => {
    const grace = await app.addMember(ada, 'admin');
    for (const caller of [grace, ada]) {
      const path = `/members/${ada._id}`;
      expectError(await app.patch(path, { role: 'viewer' }, caller), 'MEMBER_IS_OWNER');
      expectError(await app.delete(path, caller), 'MEMBER_IS_OWNER');
    }
  });

  it('removal lists the API keys and webhooks the member created, which still work', async () => {
    const grace = await app.addMember(ada, 'admin');
    const scopes = ['webhooks:write', 'events:read', 'licenses:read'];
    const ofGrace = await app.addApiKey(grace, scopes);
    await app.addApiKey(ada, ['licenses:read']);
    const fields = { url: 'https://1.1.1.1/hook', types: ['plan.created'] };
    for (const { token } of [ada, ofGrace, grace]) await app.post('/webhooks', fields, { token });
    const { status, body } = await app.delete(`/members/${grace._id}`, ada);
    expect([status, body.apiKeys, body.webhooks]).toMatchObject([
      200,
      [{ _id: ofGrace._id, createdBy: grace._id }],
      [{ createdBy: { type: 'user', id: grace._id } }],
    ]);
    expect((await app.get('/licenses', ofGrace)).status).toBe(200);
    const login = await app.post('/auth/login', { email: grace.email, password: PASSWORD });
    expectError(login, 'INVALID_CREDENTIALS');
  });
});
