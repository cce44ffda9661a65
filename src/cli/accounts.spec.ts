import {
  aClient,
  activeUntil,
  anEvent,
  anIdempotencyRecord,
  aProject,
  someSigningKeys,
} from '../../test/builders.js';
import { DEVICE, RECORDS, useServices } from '../../test/services.js';
import { type User, USERS } from '../auth/accounts/user.js';
import { API_KEYS } from '../auth/api-keys/api-key.js';
import { ApiKeysService } from '../auth/api-keys/api-keys.service.js';
import { NO_FACTORS } from '../auth/factors/factors.js';
import { INVITATIONS } from '../auth/members/member.js';
import { LOGIN_ADDRESSES, SESSIONS } from '../auth/sessions/session.js';
import { SessionsService } from '../auth/sessions/sessions.service.js';
import { SIGNING_KEYS } from '../certificates/signing-keys/signing-keys.js';
import { CLIENTS } from '../clients/client.js';
import { EVENTS } from '../events/event.js';
import { type License, LICENSES } from '../licenses/license.js';
import { newRecord } from '../shared/ids.js';
import { PROJECTS } from '../projects/project.js';
import { IDEMPOTENCY_RECORDS } from '../shared/idempotency/idempotency-record.js';
import { TOTALS } from '../shared/quotas/account-totals.js';
import { increment, insert, touch } from '../storage/changes.js';
import { NOT_STORED } from '../storage/collection.js';
import { recordLocked } from '../shared/request-context.js';
import { newWebhook, WEBHOOKS } from '../webhooks/webhook.js';
import { type AccountAction, runAccountCommand } from './accounts.js';
import type { AccountOptions } from './login-changes.js';
import { CommandError } from './command-error.js';
import { listEvents, listOfAccount } from './list-account.js';
import { listLogins } from './list-logins.js';

jest.mock('node:timers/promises', () => ({ setTimeout: jest.fn(async () => undefined) }));

const services = useServices();
const { store, clock, the, put, stored, add, change } = services;
const { addAccount, addMember, addLicense } = services;

const run = (action: AccountAction, email: string, options?: AccountOptions) =>
  runAccountCommand({ get: the }, action, email, options);

describe('delete', () => {
  let user: User;
  beforeEach(async () => {
    user = await addAccount({ email: 'ada@studio.example' });
  });

  const remove = (withLicenses = false, { email } = user) => run('delete', email, { withLicenses });

  /** Stores a client with a project that has a license. */
  const addProject = async ({ account: owner }: User) => {
    const client = await add(CLIENTS, aClient({ owner, projectsCount: 1 }));
    const license = await addLicense(await add(PROJECTS, aProject(client, { licensesCount: 1 })));
    await put(
      increment(TOTALS, owner, { clientsCount: 1, projectsCount: 1, licensesCount: 1 }),
      insert(EVENTS, anEvent(license, 'license.created')),
    );
    return license;
  };

  /** Stores one record of every kind an account can have. */
  const fill = async (owner: User) => {
    const { account: _id } = owner;
    await the(SessionsService).start(owner, DEVICE);
    const record = { ...anIdempotencyRecord({ owner: _id }), result: {}, version: NOT_STORED };
    await put(insert(SIGNING_KEYS, someSigningKeys({ _id })), insert(IDEMPOTENCY_RECORDS, record));
    return addProject(owner);
  };

  const everything = () => RECORDS.flatMap((collection) => store.all(collection));

  const activate = async (license: License) => {
    await put(touch(PROJECTS, license.project));
    await change(LICENSES, license, activeUntil(new Date(clock.now().getTime() + 1_000)));
  };
  it('removes all records of the account and none of other accounts', async () => {
    await fill(user);
    const before = everything();
    const doomed = await addAccount({ email: 'bob@studio.example' });
    await fill(doomed);
    const license = await addProject(doomed);
    // More records than one step can remove.
    await put(
      ...Array.from({ length: 1_001 }, () => insert(EVENTS, anEvent(license, 'license.renewed'))),
    );
    expect(await remove(false, doomed)).toBe(
      'Deleted account bob@studio.example and all its records.',
    );
    expect(everything()).toStrictEqual(before);
    await expect(remove(true, doomed)).rejects.toThrow('There is no account bob@studio.example.');
  });

  it('deletes nothing from an account with active licenses unless told to delete them too', async () => {
    await activate(await fill(user));
    const before = everything();
    await expect(remove()).rejects.toThrow(
      /^Account .+ has active licenses\. .+ --with-licenses\.$/,
    );
    expect(everything()).toStrictEqual(before);
    await remove(true);
    expect(everything()).toStrictEqual([]);
  });

  it('waits while the store is busy, and says so', async () => {
    await fill(user);
    const said = jest.spyOn(console, 'error').mockReturnValue();
    const commit = jest.spyOn(store, 'commit');
    for (let times = 0; times < 7; times++) commit.mockRejectedValueOnce(recordLocked());
    expect(await remove()).toMatch(/^Deleted account .+ and all its records\.$/);
    expect(said.mock.calls).toEqual([['The store is busy. Retrying ...']]);
    expect(everything()).toStrictEqual([]);
  });

  it('resumes when called again, wherever it was interrupted', async () => {
    for (let commits = 1; ; commits++) {
      await fill(user);
      const commit = store.commit.bind(store);
      let left = commits;
      jest.spyOn(store, 'commit').mockImplementation((changes) => {
        if (left-- === 0) throw new Error('killed');
        return commit(changes);
      });
      const outcome = await remove().catch((error: Error) => error.message);
      jest.restoreAllMocks();
      if (outcome !== 'killed') return expect(commits).toBeGreaterThan(8);
      expect(store.all(USERS)).toHaveLength(1);
      // Once the owner's login is gone, nobody can log in, and requests in progress add nothing.
      expect(store.all(TOTALS)).toEqual([]);
      await remove();
      expect(everything()).toStrictEqual([]);
      user = await addAccount({ email: user.email });
    }
  });
});

const ADA = 'ada@studio.example';
const EMAIL = ` ${ADA.toUpperCase()} `;

describe('other commands', () => {
  it('transfer ownership, and change or delete only the login of a member', async () => {
    const ada = await addAccount({ email: ADA });
    const bob = await addMember(ada, { email: 'bob@studio.example', role: 'support' });
    await the(SessionsService).start(ada, DEVICE);
    await run('disable', bob.email);
    await run('reset-password', bob.email);
    expect(store.all(SESSIONS)).toHaveLength(1);
    const transfer = () => run('transfer', EMAIL, { to: 'BOB@studio.example' });
    await expect(transfer()).rejects.toThrow(/^bob@\S+ is not an enabled member of the account/);
    await run('enable', bob.email);
    expect(await transfer()).toMatch(/^bob@\S+ is now the owner of the account/);
    const roles = [await stored(USERS, ada), await stored(USERS, bob)].map(({ role }) => role);
    expect(roles).toEqual(['admin', 'owner']);
    await expect(transfer()).rejects.toThrow(/^ada@\S+ is not the owner of an account/);
    await the(SessionsService).start(await stored(USERS, bob), DEVICE);
    await run('delete', ADA);
    const left = [...store.all(SESSIONS), ...store.all(LOGIN_ADDRESSES)];
    expect(left).toMatchObject([{ user: bob._id }, { user: bob._id }]);
  });

  it.each<[AccountAction, string, AccountOptions, string]>([
    ['create', 'a@', {}, 'a@ is not a valid email address.'],
    [
      'create',
      ADA,
      { name: ' ' },
      'A name must be 1 to 200 characters long, with at least one visible character and no control characters.',
    ],
    ['reset-password', ADA, {}, `There is no account ${ADA}.`],
    ['disable', ADA, {}, `There is no account ${ADA}.`],
    ['enable', ADA, {}, `There is no account ${ADA}.`],
    ['transfer', ADA, { to: 'b@' }, 'b@ is not a valid email address.'],
    ['transfer', ADA, { to: ADA }, `There is no account ${ADA}.`],
    ['delete', ADA, {}, `There is no account ${ADA}.`],
  ])('%s %s %j is rejected with one sentence', async (action, email, options, sentence) => {
    await expect(run(action, email, options)).rejects.toThrow(new CommandError(sentence));
  });
});

describe('for the support of an account', () => {
  let owner: User;
  const addKey = async (user: User, name: string) => {
    const fields = { name, scopes: [], expiresAt: null };
    return (await the(ApiKeysService).create(await services.inSession(user), fields)).apiKey;
  };
  const printed = async (print: () => Promise<void>) => {
    const log = jest.spyOn(console, 'log').mockReturnValue();
    await print();
    const lines = log.mock.calls.map(([line]) => String(line).split('\t'));
    log.mockRestore();
    return lines;
  };
  const print = (
    ...of: Parameters<typeof listOfAccount> extends [unknown, ...infer T] ? T : never
  ) => printed(() => listOfAccount({ get: the }, ...of));
  beforeEach(async () => {
    owner = await addAccount({ email: ADA });
  });

  it('secure replaces the password, ends sessions and deletes API keys: all keys for an owner, their own for a member', async () => {
    const bob = await addMember(owner, { email: 'bob@studio.example' });
    await addKey(owner, 'shop');
    await addKey(bob, 'script');
    expect(await run('reset-password', bob.email)).toContain(
      'Still in use: 1 API key and 0 webhooks.',
    );
    expect(await run('disable', bob.email)).toContain('Still in use: 1 API key');
    const totp = { sealedSecret: 'of the thief', createdAt: clock.now(), lastStep: 0 };
    await change(USERS, bob, { factors: { ...NO_FACTORS, totp } });
    expect(await run('secure', bob.email)).toMatch(
      /^All sessions .+ 1 API key deleted\. [^]+Password: /,
    );
    expect(store.all(API_KEYS)).toMatchObject([{ name: 'shop' }]);
    expect(await run('secure', EMAIL)).toContain('1 API key deleted.');
    expect([...store.all(API_KEYS), ...store.all(SESSIONS)]).toEqual([]);
    const before = [owner.passwordHash, bob.passwordHash];
    const after = [await stored(USERS, owner), await stored(USERS, bob)];
    expect(after.map(({ factors }) => factors)).toEqual([NO_FACTORS, NO_FACTORS]);
    expect(after.map(({ passwordHash }) => before.includes(passwordHash))).toEqual([false, false]);
    const types = (await print('events', ADA)).map(([, type]) => type);
    expect(types.filter((type) => type === 'api_key.deleted')).toHaveLength(2);
    expect(types.filter((type) => type === 'account.factors_reset')).toHaveLength(1);
    const all = await printed(() => listEvents({ get: the }));
    expect(all.find(([, , type]) => type === 'account.factors_reset')?.[1]).toBe(owner.account);
    clock.advance({ seconds: 1 });
    expect(await print('events', ADA, clock.now().toISOString())).toEqual([]);
    await expect(print('events', ADA, 'today')).rejects.toThrow('today is not a time such as ');
  });

  it('API keys, webhooks and invitations are listed and deleted one by one, only in their own account', async () => {
    const eve = await addAccount({ email: 'eve@studio.example' });
    const key = await addKey(owner, 'shop');
    const fields = { url: 'https://a.example/', types: ['*'], description: null };
    const principal = await services.inSession(owner);
    const webhook = await add(WEBHOOKS, {
      ...newWebhook(principal, fields, clock.now()),
      secrets: [],
    });
    await put(increment(TOTALS, owner.account, { webhooksCount: 1 }));
    const invitation = await add(INVITATIONS, {
      ...newRecord(),
      ...{ account: owner.account, email: 'new@studio.example', role: 'admin', tokenHash: 'a' },
      ...{ invitedBy: owner._id, createdAt: clock.now(), expiresAt: clock.now() },
    });
    expect(await print('invitations', ADA)).toEqual([
      expect.arrayContaining([invitation._id, invitation.email, 'admin']),
    ]);
    expect(await print('api-keys', ADA)).toEqual([expect.arrayContaining([key._id, 'shop'])]);
    expect(await print('webhooks', ADA)).toEqual([
      expect.arrayContaining([webhook._id, webhook.url]),
    ]);
    for (const [action, id] of [
      ['delete-api-key', key._id],
      ['delete-webhook', webhook._id],
      ['delete-invitation', invitation._id],
    ] as const) {
      await expect(run(action, eve.email, { id })).rejects.toThrow(`${eve.email} has no `);
      expect(await run(action, ADA, { id })).toMatch(/^Deleted the /);
    }
    expect([...store.all(API_KEYS), ...store.all(WEBHOOKS)]).toEqual([]);
    expect(store.all(INVITATIONS)).toEqual([]);
    expect((await store.find(TOTALS, { _id: owner.account }))!.webhooksCount).toBe(0);
  });

  it('change-email keeps the password and the sessions, and rejects the address of another login', async () => {
    await the(SessionsService).start(owner, DEVICE);
    await addAccount({ email: 'eve@studio.example' });
    const change = (to: string) => run('change-email', EMAIL, { to });
    await expect(change('eve@studio.example')).rejects.toThrow('Email already registered');
    expect(await change('NEW@studio.example')).toMatch(/^ada@studio\.example is now new@studio/);
    expect(await stored(USERS, owner)).toMatchObject({ email: 'new@studio.example' });
    expect(store.all(SESSIONS)).toHaveLength(1);
    expect(store.all(LOGIN_ADDRESSES)).toEqual([]);
  });
});

it('list prints every login once, by email address, with its record counts', async () => {
  const emails = Array.from({ length: 201 }, (_, i) => `${String(i).padStart(3, '0')}@a.example`);
  for (const email of emails.toReversed()) await addAccount({ email, name: 'Eve' });
  const bob = await addAccount({ email: 'bob@a.example', name: 'Bob' });
  await run('disable', bob.email);
  const counts = { clientsCount: 1, projectsCount: 2, licensesCount: 3 };
  await put(increment(TOTALS, bob.account, counts));
  const printed = jest.spyOn(console, 'log').mockReturnValue();
  await listLogins({ get: the });
  const lines = printed.mock.calls.map(([line]) => String(line));
  expect(lines.map((line) => line.split('\t')[0])).toStrictEqual([...emails, bob.email]);
  const enabled = 'enabled\tclients 0\tprojects 0\tlicenses 0\towner\taccount ';
  expect(lines[0]).toMatch(new RegExp(`^000@a.example\tEve\tcreated \\S+\t${enabled}`));
  const now = clock.now().toISOString();
  expect(lines.at(-1)).toBe(
    `bob@a.example\tBob\tcreated ${bob.createdAt.toISOString()}\tdisabled ${now}\tclients 1\tprojects 2\tlicenses 3\t` +
      `owner\taccount ${bob.account}`,
  );
});
