import { ActivationService } from '../src/activation/activation.service.js';
import { LicenseCertificates } from '../src/activation/license-certificates.service.js';
import { AccountsService } from '../src/auth/accounts/accounts.service.js';
import type { User } from '../src/auth/accounts/user.js';
import { AuthService } from '../src/auth/auth.service.js';
import { MembersService } from '../src/auth/members/members.service.js';
import { PasswordsService } from '../src/auth/passwords/passwords.service.js';
import { SessionsService } from '../src/auth/sessions/sessions.service.js';
import { SigningKeysService } from '../src/certificates/signing-keys/signing-keys.service.js';
import { type AccountAction, runAccountCommand } from '../src/cli/accounts.js';
import { ClientsService } from '../src/clients/clients.service.js';
import { LicenseKeyService } from '../src/licenses/license-key.service.js';
import type { ShownLicense } from '../src/licenses/license-reader.js';
import { LicensesService } from '../src/licenses/licenses.service.js';
import { ProjectsService } from '../src/projects/projects.service.js';
import type { NewLicenseDto } from '../src/licenses/dto/license.dto.js';
import { TOTALS } from '../src/shared/quotas/account-totals.js';
import { removeAll } from '../src/storage/changes.js';
import { Turns } from '../src/storage/turns.js';
import { beforeNextCommit } from './before-next-commit.js';
import { codesOf, readDocument, routesOf } from './document/openapi-document.js';
import { DESKTOP, LAPTOP } from './e2e/developer.js';
import { casesInScope } from './scope.js';
import { DEVICE, PASSWORD, RECORDS, useServices } from './services.js';
import { renewalBy, revocation } from '../src/licenses/license-changes.js';

const PASSWORDS = { currentPassword: PASSWORD, newPassword: 'nine loud kettles whistle' };
const [OWNER, ADMIN, GUEST] = ['ada@a.example', 'bob@a.example', 'eve@a.example'];
const ADDRESS = '192.0.2.1';
const GUEST_LOGIN = { name: 'Eve', email: GUEST, password: PASSWORD };
const TERMS: NewLicenseDto = { duration: 6, services: ['Hosting'] };
const FLOATING = { leaseSeconds: 600, release: 'self' } as const;
const MONTH = { duration: 1, days: null };
const FORUM = { name: 'Forum', product: 'forum' };

const { store, the, inSession } = useServices();
// As if the other request came from another instance, which does not wait for this one's decisions.
beforeEach(() => {
  jest.spyOn(Turns.prototype, 'run').mockImplementation((_key, work) => work());
});

/** The only account in the store, with two members and a guest, a client, a project, and a license in each state. */
async function createWorld() {
  const [clients, projects] = [the(ClientsService), the(ProjectsService)];
  const ada = { name: 'Ada', email: OWNER, password: PASSWORD };
  const owner = await the(AccountsService).create(ada);
  const { account } = owner;
  const invite = async (email: string, by: User) =>
    (await the(MembersService).invite(await inSession(by), { email, role: 'admin' })).invitation!;
  const joining = { name: 'Bob', password: PASSWORD };
  const admin = await the(MembersService).accept(await invite(ADMIN, owner), joining);
  const invitation = await invite(GUEST, admin);
  const { refreshToken: token } = await the(SessionsService).start(owner, DEVICE);
  const { _id: client } = await clients.create(account, { name: 'Acme', email: 'a@acme.example' });
  const { _id: empty } = await clients.create(account, { name: 'Beta', email: 'b@beta.example' });
  const add = (name: string, terms: NewLicenseDto) =>
    projects.createWithFirstLicense(account, { client, name, product: null }, terms);
  const { project, license: pending } = await add('Shop', TERMS);
  const { project: sold, license: active } = await add('Sold', { ...TERMS, ...FLOATING });
  const keyOf = ({ license: { _id, sealedKey } }: ShownLicense) => ({
    _id,
    key: the(LicenseKeyService).reveal({ _id, sealedKey }),
  });
  const world = {
    ...{ account, owner, admin, invitation, token, client, empty, project: project._id },
    ...{ byOwner: await inSession(owner), pending: keyOf(pending), active: keyOf(active) },
    ...{ sold: sold._id, kid: (await the(SigningKeysService).get(account)).current.kid },
  };
  await the(ActivationService).activate({ key: world.active.key, fingerprint: LAPTOP }, ADDRESS);
  return { world, records: store.copy() };
}

let created: ReturnType<typeof createWorld> | undefined;

/** The same world before each request; created once, because that takes longer than most requests. */
async function newWorld() {
  const { world, records } = await (created ??= createWorld());
  Object.assign(store, records.copy());
  return world;
}

type World = Awaited<ReturnType<typeof createWorld>>['world'];
type Request = (world: World) => Promise<unknown>;
const certificate = { product: 'shop', fingerprint: DESKTOP, days: 30 };

const LICENSES: Readonly<Record<string, Request>> = {
  'adds a license': ({ account, project }) =>
    the(ProjectsService).addLicenses(project, account, TERMS, undefined),
  'renames a project': ({ account, project }) =>
    the(ProjectsService).update(project, account, { name: 'Gift shop' }),
  'gives a project a product': ({ account, project }) =>
    the(ProjectsService).update(project, account, { product: 'shop' }),
  'gives a project another product': ({ account, project }) =>
    the(ProjectsService).update(project, account, { product: 'wiki' }),
  'deletes a project': ({ account, project }) =>
    the(ProjectsService).delete(project, account, false),
  'deletes a project with its ACTIVE license': ({ account, sold }) =>
    the(ProjectsService).delete(sold, account, true),
  'revokes all licenses of a project': ({ account, project }) =>
    the(ProjectsService).revokeLicenses(project, account, 'Sold'),
  'takes an address': ({ account, empty }) =>
    the(ClientsService).update(empty, account, { email: 'new@beta.example' }),
  'creates a client with that address': ({ account }) =>
    the(ClientsService).create(account, { name: 'New', email: 'new@beta.example' }),
  'deletes an empty client': ({ account, empty }) => the(ClientsService).delete(empty, account),
  'creates a project': ({ account, empty }) =>
    the(ProjectsService).createWithFirstLicense(account, { client: empty, ...FORUM }, TERMS),
  'activates a license': ({ pending }) =>
    the(ActivationService).activate({ key: pending.key, fingerprint: LAPTOP }, ADDRESS),
  'activates it on another machine': ({ pending }) =>
    the(ActivationService).activate({ key: pending.key, fingerprint: DESKTOP }, ADDRESS),
  'is rejected on another machine': ({ active }) =>
    the(ActivationService).activate({ key: active.key, fingerprint: DESKTOP }, ADDRESS),
  'takes a seat by a heartbeat': ({ active }) =>
    the(ActivationService).heartbeat({ key: active.key, fingerprint: DESKTOP }, ADDRESS),
  'gives a seat up': ({ active }) =>
    the(ActivationService).release({ key: active.key, fingerprint: LAPTOP }, ADDRESS),
  'issues a certificate': ({ pending, account, project }) =>
    the(LicenseCertificates).issue(pending._id, account, { ...certificate, product: project }),
  'revokes a license': ({ pending, account }) =>
    the(LicensesService).change(pending._id, account, revocation()),
  'reissues a license': ({ pending, account }) =>
    the(LicensesService).reissue(pending._id, account, undefined),
  'renews a license': ({ active, account }) =>
    the(LicensesService).change(active._id, account, renewalBy({ length: MONTH })),
  'revokes an ACTIVE license': ({ active, account }) =>
    the(LicensesService).change(active._id, account, revocation('Ended')),
  'changes a license': ({ active, account }) =>
    the(LicensesService).update(active._id, account, { maxMachines: 2 }),
};

const join = ({ invitation }: World) => the(MembersService).accept(invitation, GUEST_LOGIN);
// A text may contain a random password.
const operate = async (action: AccountAction, email: string, to = '') =>
  void (await runAccountCommand({ get: the }, action, email, { to }));

const ACCOUNTS: Readonly<Record<string, Request>> = {
  'logs in': ({ owner }) => the(SessionsService).start(owner, DEVICE),
  'logs in as an admin': ({ admin }) => the(SessionsService).start(admin, DEVICE),
  'refreshes a session': ({ token }) => the(SessionsService).refresh(token, DEVICE),
  'logs out': ({ token }) => the(SessionsService).end(token),
  'ends all sessions': ({ byOwner }) => the(SessionsService).endOthers(byOwner),
  'changes the password': ({ byOwner: by }) => the(PasswordsService).change(by, PASSWORDS, ADDRESS),
  'resets the password': () => operate('reset-password', OWNER),
  'disables an account': () => operate('disable', OWNER),
  'disables an admin': () => operate('disable', ADMIN),
  'transfers an account': () => operate('transfer', OWNER, ADMIN),
  'removes an admin': ({ admin, byOwner }) => the(MembersService).remove(admin._id, byOwner),
  'demotes an admin': ({ admin, byOwner }) =>
    the(MembersService).changeRole(admin._id, 'viewer', byOwner),
  'invites a guest': ({ byOwner }) =>
    the(MembersService).invite(byOwner, { email: GUEST, role: 'viewer' }),
  'accepts an invitation': join,
  'registers with that address': () => the(AccountsService).create(GUEST_LOGIN),
  'rotates the signing keys': ({ byOwner, kid }) =>
    the(SigningKeysService).rotate(byOwner, { current: kid, password: PASSWORD }, ADDRESS),
};

const OMITTED =
  /[hH]ash|sealed|^(version|kid|x|key|keyHint|certificate|accessToken|refreshToken|invitation|former|current|clientName|projectName)$/;

/** Seats are identified by the license key, which is random: alone, or followed by the hash of a machine. */
const SEATS = /^(?![0-9a-f]{24}$)[\w-]{24}(?=$|[0-9a-f]{24}$)/;

/** Ids, and the end of a license key. */
const ID = /[0-9a-f]{24,64}|•••• \w{4}/g;

/** These requests may have read the state before the other one. The ones in the middle row sometimes commit nothing. */
const MAY_COME_FIRST = [
  ...['revokes all licenses of a project', 'revokes a license', 'revokes an ACTIVE license'],
  ...['is rejected on another machine', 'takes a seat by a heartbeat', 'gives a seat up'],
  ...['ends all sessions', 'changes the password', 'disables an account', 'invites a guest'],
  'rotates the signing keys',
];

/** These store one event more and one less than in either order, or are rejected for another reason. */
const OTHER_EVENTS = [
  'changes the password, logs out',
  'changes the password, ends all sessions',
  'is rejected on another machine, deletes a project with its ACTIVE license',
  'disables an account, disables an account',
  'rotates the signing keys, resets the password',
  'removes an admin, transfers an account',
  'demotes an admin, transfers an account',
];

/** The operation of each request; operator commands have none. */
const OPERATIONS: Readonly<Record<string, string>> = {
  ...{ 'adds a license': 'createLicense', 'renames a project': 'updateProject' },
  ...{ 'gives a project a product': 'updateProject', 'deletes a project': 'deleteProject' },
  ...{ 'gives a project another product': 'updateProject', 'logs in': 'login' },
  ...{ 'deletes a project with its ACTIVE license': 'deleteProject', 'logs out': 'logout' },
  ...{ 'revokes all licenses of a project': 'revokeLicenses', 'takes an address': 'updateClient' },
  ...{ 'creates a client with that address': 'createClient' },
  ...{ 'deletes an empty client': 'deleteClient', 'creates a project': 'createProject' },
  ...{ 'activates a license': 'activateLicense', 'gives a seat up': 'releaseMachine' },
  ...{ 'activates it on another machine': 'activateLicense', 'logs in as an admin': 'login' },
  ...{ 'is rejected on another machine': 'activateLicense', 'refreshes a session': 'refresh' },
  ...{ 'takes a seat by a heartbeat': 'sendHeartbeat', 'removes an admin': 'removeMember' },
  ...{ 'issues a certificate': 'issueCertificate', 'revokes a license': 'revokeLicense' },
  ...{ 'reissues a license': 'reissueLicense', 'renews a license': 'renewLicense' },
  ...{ 'revokes an ACTIVE license': 'revokeLicense', 'changes a license': 'updateLicense' },
  ...{ 'ends all sessions': 'endOtherSessions', 'changes the password': 'changePassword' },
  ...{ 'demotes an admin': 'updateMember', 'invites a guest': 'inviteMember' },
  ...{ 'accepts an invitation': 'acceptInvitation', 'registers with that address': 'register' },
  ...{ 'rotates the signing keys': 'rotateSigningKeys' },
};

const DOCUMENTED = new Map(
  routesOf(readDocument()).map(({ operation }) => [operation.operationId, codesOf(operation)]),
);

/** The result of a request, or its rejection code, which the operation must document. */
const resultOf = (name: string, request: Request, world: World) =>
  request(world).then(
    (result) => ({ result }),
    ({ code, message }: Error & { code?: string }) => {
      if (name in OPERATIONS) expect(DOCUMENTED.get(OPERATIONS[name])).toContain(code);
      return { code, message };
    },
  );

/** The results of requests in a new world, and the stored records without secrets; ids are numbered. */
async function outcomeOf(act: (world: World) => Promise<unknown[]>): Promise<string> {
  const results = await act(await newWorld());
  const textOf = (value: unknown) =>
    JSON.stringify(value, (name, part: unknown) => {
      if (OMITTED.test(name)) return undefined;
      return typeof part === 'string' ? part.replace(SEATS, 'seats') : part;
    });
  const anonymous = (text: string) => text.replace(ID, '#');
  const stored = RECORDS.flatMap((collection) => store.all(collection).map(textOf));
  const inOrder = stored.toSorted((a, b) => (anonymous(a) < anonymous(b) ? -1 : 1));
  const text = [textOf(results), ...inOrder].join('\n');
  const numbers = new Map<string, number>();
  const numberOf = (id: string) => numbers.get(id) ?? numbers.set(id, numbers.size).get(id)!;
  return text.replace(ID, (id) => `#${numberOf(id)}`);
}

describe.each(Object.entries({ LICENSES, ACCOUNTS }))('Of two requests for %s', (_of, requests) => {
  const all = Object.entries(requests);
  const pairs = all
    .flatMap(([one, first]) => all.map(([other, second]) => [one, other, first, second] as const))
    .filter(([one, other]) => !OTHER_EVENTS.includes(`${one}, ${other}`));

  it.each(casesInScope(pairs))(
    'a request that %s, overtaken by one that %s, has the same outcome as if it came later',
    async (one, two, first, second) => {
      const overtaken = await outcomeOf(async (world) => {
        let other: unknown;
        const overtake = async () => (other = await resultOf(two, second, world));
        const cancel = beforeNextCommit(store, overtake);
        const result = await resultOf(one, first, world);
        cancel();
        return [result, other ?? (await resultOf(two, second, world))];
      });
      const last = await outcomeOf(async (world) => {
        const other = await resultOf(two, second, world);
        return [await resultOf(one, first, world), other];
      });
      const isEarlier = overtaken !== last && MAY_COME_FIRST.includes(one);
      const inOrder = async (world: World) => [
        await resultOf(one, first, world),
        await resultOf(two, second, world),
      ];
      expect(overtaken).toEqual(isEarlier ? await outcomeOf(inOrder) : last);
    },
  );
});

const COUNTED_BY_THE_ACCOUNT = [
  ...['adds a license', 'creates a client with that address', 'creates a project'],
  ...['reissues a license', 'invites a guest', 'deletes an empty client', 'deletes a project'],
  'deletes a project with its ACTIVE license',
];

it.each(Object.entries({ ...LICENSES, ...ACCOUNTS }))(
  'a request that %s, overtaken by the deletion of its account, adds nothing to it and ends early',
  async (name, request) => {
    const world = await newWorld();
    beforeNextCommit(store, () => store.commit([removeAll(TOTALS, {})]));
    const result = await resultOf(name, request, world);
    if (COUNTED_BY_THE_ACCOUNT.includes(name))
      expect(result).toMatchObject({ code: 'UNAUTHORIZED' });
  },
);

it.each<[string, Request]>([
  ['registers with that address', () => the(AuthService).register(GUEST_LOGIN, DEVICE)],
  ['accepts an invitation', async (world) => the(SessionsService).start(await join(world), DEVICE)],
])('a request that %s fails if the operator disables the login first', async (name, request) => {
  const world = await newWorld();
  const disable = () => operate('disable', GUEST);
  beforeNextCommit(store, () => Promise.resolve(beforeNextCommit(store, disable)));
  expect(await resultOf(name, request, world)).toMatchObject({ code: 'ACCOUNT_DISABLED' });
});
