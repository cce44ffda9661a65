import {
  CLIENTS_AT_ONCE,
  LICENSES_AT_ONCE,
} from '../../../src/auth/accounts/account-deletion.repository.js';
import type { User } from '../../../src/auth/accounts/user.js';
import { anIdempotencyRecord } from '../../builders/idempotency-record.builder.js';
import { aClient } from '../../builders/client.builder.js';
import { anEvent } from '../../builders/event.builder.js';
import { aLogin, aSession } from '../../builders/session.builder.js';
import { anActivation } from '../../builders/license.builder.js';
import { at } from '../../builders/time.js';
import { aUser } from '../../builders/user.builder.js';
import { engines } from '../engines.js';
import { Stored } from '../stored.js';
import type { Kept, StoreUnderTest } from '../store-under-test.js';

const KEPT: Kept[] = [
  ...(['users', 'sessions', 'login_addresses', 'clients', 'projects'] as const),
  ...(['licenses', 'license_events', 'totals', 'idempotency_records'] as const),
];
const DISTANT = at(1_000_000);

describe.each(engines)('the deletion of an account on $name', ({ open }) => {
  let store: StoreUnderTest;
  let stored: Stored;
  beforeEach(async () => {
    store = await open();
    stored = new Stored(store);
  });
  afterEach(async () => {
    expect(await store.contradictions()).toStrictEqual([]);
    await store.close();
  });

  const anAccount = async (): Promise<User> => {
    const user = aUser();
    await store.users.create(user);
    await store.sessions.start(aSession(user), aLogin(user));
    return user;
  };

  /** One client with a project of two licenses, and one without. */
  const filled = async () => {
    const user = await anAccount();
    const client = await stored.client({ owner: user._id });
    const owner = user._id;
    await store.clients.create(aClient({ owner }), anIdempotencyRecord({ owner }));
    const { project, license } = await stored.project(client);
    await stored.licenseOf(project);
    return { user, client, project, license };
  };

  const counts = () => Promise.all(KEPT.map((kept) => store.count(kept)));

  const deleteAll = async ({ _id }: User, keepActiveAt: Date | null = null) => {
    let outcome;
    do outcome = await store.accountDeletion.deleteFromProject(_id, keepActiveAt);
    while (outcome === 'deleted');
    while ((await store.accountDeletion.deleteClients(_id)) === 'deleted') continue;
    return [outcome, await store.accountDeletion.deleteEmpty(_id, at(9))];
  };

  it('leaves nothing of it, and everything of the others', async () => {
    await filled();
    const before = await counts();
    const { user, license, client } = await filled();
    await store.licenses.findByKeyHash(license.keyHash);
    expect(await deleteAll(user)).toStrictEqual(['no_projects', 'deleted']);
    expect(await counts()).toStrictEqual(before);
    expect(await store.users.findByEmail(user.email)).toBeNull();
    expect(await store.licenses.findByKeyHash(license.keyHash)).toBeNull();
    const again = aClient({ email: client.email });
    expect(await store.clients.create(again)).toStrictEqual(again);
  });

  it('lets nothing be created for it from then on', async () => {
    const { user } = await filled();
    await deleteAll(user);
    const before = await counts();
    expect(await store.clients.create(aClient({ owner: user._id }))).toBe('account_deleted');
    expect(await counts()).toStrictEqual(before);
  });

  it('is consistent after each of its steps, and is simply done again after an interruption', async () => {
    const { user, project } = await filled();
    for (let i = 2; i <= LICENSES_AT_ONCE; i++) await stored.licenseOf(project);
    const licenses = await store.count('licenses');
    const { accountDeletion } = store;
    expect(await accountDeletion.deleteEmpty(user._id, at(9))).toBe('has_clients');
    expect(await accountDeletion.deleteFromProject(user._id, null)).toBe('deleted');
    expect(await store.count('licenses')).toBe(licenses - LICENSES_AT_ONCE);
    expect(await store.count('projects')).toBe(1);
    expect(await store.contradictions()).toStrictEqual([]);
    expect(await accountDeletion.deleteClients(user._id)).toBe('deleted');
    expect(await store.contradictions()).toStrictEqual([]);
    expect(await accountDeletion.deleteEmpty(user._id, at(9))).toBe('has_clients');
    expect(await deleteAll(user)).toStrictEqual(['no_projects', 'deleted']);
    expect(await deleteAll(user)).toStrictEqual(['no_projects', 'deleted']);
  });

  it(`deletes at most ${CLIENTS_AT_ONCE} clients at once`, async () => {
    const user = await anAccount();
    const clients = Array.from({ length: CLIENTS_AT_ONCE + 1 }, () => aClient({ owner: user._id }));
    for (const client of clients) await store.clients.create(client);
    expect(await store.accountDeletion.deleteClients(user._id)).toBe('deleted');
    expect(await store.count('clients')).toBe(1);
    expect(await deleteAll(user)).toStrictEqual(['no_projects', 'deleted']);
  });

  describe('with a license that is active', () => {
    const activated = async () => {
      const all = await filled();
      const event = anEvent(all.license, 'activated');
      await store.licenses.activate(all.license._id, anActivation('machine 1'), event);
      return all;
    };

    it('deletes nothing of its project, unless it is to', async () => {
      const { user } = await activated();
      const before = await counts();
      expect(await store.accountDeletion.hasActiveLicenses(user._id, at(10))).toBe(true);
      expect(await deleteAll(user, at(10))).toStrictEqual(['has_active_licenses', 'has_clients']);
      const clients = KEPT.indexOf('clients');
      expect((await counts()).toSpliced(clients, 1)).toStrictEqual(before.toSpliced(clients, 1));
      expect(await deleteAll(user)).toStrictEqual(['no_projects', 'deleted']);
    });

    it('goes on once that has expired', async () => {
      const { user } = await activated();
      expect(await store.accountDeletion.hasActiveLicenses(user._id, DISTANT)).toBe(false);
      expect(await deleteAll(user, DISTANT)).toStrictEqual(['no_projects', 'deleted']);
    });
  });

  it('sees no active license where all are pending or revoked, or of other accounts', async () => {
    const { user, license } = await filled();
    await stored.activeLicense();
    const revocation = { revokedAt: at(3), revokedReason: null };
    await store.licenses.revoke(license._id, user._id, revocation, anEvent(license, 'revoked'));
    expect(await store.accountDeletion.hasActiveLicenses(user._id, at(4))).toBe(false);
    expect(await deleteAll(user, at(4))).toStrictEqual(['no_projects', 'deleted']);
  });

  it('does nothing of an account that is not there', async () => {
    await filled();
    const before = await counts();
    expect(await deleteAll(aUser())).toStrictEqual(['no_projects', 'deleted']);
    expect(await counts()).toStrictEqual(before);
  });
});
