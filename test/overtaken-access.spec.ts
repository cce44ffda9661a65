import type { User } from '../src/auth/accounts/user.js';
import { AccountsService } from '../src/auth/accounts/accounts.service.js';
import { ApiKeysService } from '../src/auth/api-keys/api-keys.service.js';
import { MembersService } from '../src/auth/members/members.service.js';
import type { ApiKeyPrincipal, UserPrincipal } from '../src/auth/principal.js';
import { SessionsService } from '../src/auth/sessions/sessions.service.js';
import { SigningKeysService } from '../src/certificates/signing-keys/signing-keys.service.js';
import { runAccountCommand } from '../src/cli/accounts.js';
import { Turns } from '../src/storage/turns.js';
import { WebhooksService } from '../src/webhooks/webhooks.service.js';
import { DEVICE, PASSWORD, RECORDS, useServices } from './services.js';

const { store, the, addAccount, addMember, inSession, beforeNextCommit } = useServices();

const API_KEY = { name: 'CI', scopes: [], expiresAt: null };
const HOOK = { url: 'https://1.1.1.1/', types: ['webhook.disabled'], description: null };
const ELSEWHERE = { url: 'https://1.1.1.2/' };
const ADMIN = 'bob@a.example';
const NEW_ADMIN = { email: 'new@a.example', role: 'admin' } as const;

let owner: UserPrincipal;
let admin: User;
let byAdmin: UserPrincipal;
let key: ApiKeyPrincipal;
let hook: string;
let guest: string;
beforeEach(async () => {
  // As if the other request came from another instance, which does not wait for this one's decisions.
  jest.spyOn(Turns.prototype, 'run').mockImplementation((_key, work) => work());
  owner = await inSession(await addAccount());
  const account = owner.accountId;
  admin = await addMember({ account }, { email: ADMIN });
  byAdmin = await inSession(admin);
  guest = (await addMember({ account }))._id;
  const { apiKey } = await the(ApiKeysService).create(owner, API_KEY);
  key = { ...apiKey, type: 'api_key', id: apiKey._id };
  hook = (await the(WebhooksService).create(owner, HOOK)).webhook._id;
});

/** Requests with effects that outlive an admin's access. */
const REQUESTS: Readonly<Record<string, () => Promise<unknown>>> = {
  'creates an API key': () => the(ApiKeysService).create(byAdmin, API_KEY),
  'deletes an API key': () => the(ApiKeysService).delete(key.id, byAdmin),
  'creates a webhook': () => the(WebhooksService).create(byAdmin, HOOK),
  'changes a webhook': () => the(WebhooksService).update(hook, byAdmin, ELSEWHERE),
  'rotates the secret of a webhook': () => the(WebhooksService).rotateSecret(hook, byAdmin, true),
  'invites another admin': () => the(MembersService).invite(byAdmin, NEW_ADMIN),
  'changes the role of another': () => the(MembersService).changeRole(guest, 'viewer', byAdmin),
  'removes another': () => the(MembersService).remove(guest, byAdmin),
};

const remove = () => the(MembersService).remove(admin._id, owner);
const demote = () => the(MembersService).changeRole(admin._id, 'viewer', owner);
const ENDS: Readonly<Record<string, () => Promise<unknown>>> = {
  'a removal': remove,
  'the operator who disables the login': () => runAccountCommand({ get: the }, 'disable', ADMIN),
  'the end of the session': () => the(SessionsService).endOne(byAdmin.session, byAdmin),
};

/** Expects a request to be rejected and change nothing if access ends just before its commit. */
async function expectTooLate(request: () => Promise<unknown>, end: () => Promise<unknown>) {
  const records = () => RECORDS.flatMap((collection) => store.all(collection));
  let ended: unknown;
  beforeNextCommit(async () => {
    await end();
    ended = records();
  });
  await expect(request()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  expect(records()).toEqual(ended);
}

it.each(Object.entries(REQUESTS))(
  'An admin that %s is rejected if overtaken by a demotion',
  (_request, request) => expectTooLate(request, demote),
);

it.each(Object.entries(ENDS))(
  'An admin that creates an API key is rejected if overtaken by %s',
  (_end, end) => expectTooLate(() => the(ApiKeysService).create(byAdmin, API_KEY), end),
);

it('An admin cannot take back a role', () =>
  expectTooLate(() => the(MembersService).changeRole(admin._id, 'support', byAdmin), demote));

it('An admin can leave, and can give up the role', async () => {
  const { role } = await the(MembersService).changeRole(admin._id, 'support', byAdmin);
  expect(role).toBe('support');
  await the(MembersService).remove(admin._id, { ...byAdmin, role });
  await expect(the(MembersService).list(owner.accountId)).resolves.toHaveLength(2);
});

it('An API key that is deleted creates no webhook', () =>
  expectTooLate(
    () => the(WebhooksService).create(key, HOOK),
    () => the(ApiKeysService).delete(key.id, owner),
  ));

it('A former owner cannot rotate signing keys', async () => {
  const { current } = await the(SigningKeysService).get(owner.accountId);
  const rotation = { current: current.kid, password: PASSWORD };
  const { email } = await the(AccountsService).get(owner.id);
  await expectTooLate(
    () => the(SigningKeysService).rotate(owner, rotation, DEVICE.address),
    () => runAccountCommand({ get: the }, 'transfer', email, { to: ADMIN }),
  );
});
