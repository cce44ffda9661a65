import { CLIENTS_AT_ONCE } from '../../../src/auth/accounts/account-deletion.repository.js';
import { LICENSES_AT_ONCE } from '../../../src/shared/deletion/deleted-licenses.repository.js';
import type { User } from '../../../src/auth/accounts/user.js';
import { anIdempotencyRecord } from '../../builders/idempotency-record.builder.js';
import { aClient } from '../../builders/client.builder.js';
import { aLogin, aSession } from '../../builders/session.builder.js';
import { someSigningKeys } from '../../builders/signing-keys.builder.js';
import { at } from '../../builders/time.js';
import { aUser } from '../../builders/user.builder.js';
import { engines } from '../engines.js';
import { activationOf, revocationOf } from '../port-arguments.js';
import { useStore } from '../use-store.js';

const AFTER_EVERY_TERM = at(1_000_000);

describe.each(engines)('the deletion of an account on $name', ({ open }) => {
  const { store, stored } = useStore(open, { forEachTest: true });

  const anAccount = async (): Promise<User> => {
    const user = await stored.user();
    await store.sessions.start(aSession(user), aLogin(user));
    return user;
  };

  /** An account with two clients: one has a project with two licenses, the other has no project. */
  const filled = async () => {
    const user = await anAccount();
    const client = await stored.client({ owner: user._id });
    const owner = user._id;
    await store.clients.create(aClient({ owner }), anIdempotencyRecord({ owner }));
    const { project, license } = await stored.project(client);
    await stored.licenseOf(project);
    await stored.signingKeys({ _id: owner });
    return { user, client, project, license };
  };

  const deleteAll = async ({ _id }: User, keepActiveAt: Date | null = null) => {
    let outcome;
    const [keepsActive, now] = [keepActiveAt !== null, keepActiveAt ?? at(9)];
    do outcome = await store.accountDeletion.deleteProject(_id, keepsActive, now);
    while (outcome === 'deleted');
    await store.removeDeleted();
    while ((await store.accountDeletion.deleteClients(_id)) === 'deleted') continue;
    return [outcome, await store.accountDeletion.deleteEmpty(_id, at(9))];
  };

  it('leaves nothing of the account, and everything of other accounts', async () => {
    await filled();
    const before = await stored.counts();
    const { user, license, client } = await filled();
    await store.licenses.findByKeyHash(license.keyHash);
    expect(await deleteAll(user)).toStrictEqual(['no_projects', 'deleted']);
    expect(await stored.counts()).toStrictEqual(before);
    expect(await store.users.findByEmail(user.email)).toBeNull();
    expect(await store.licenses.findByKeyHash(license.keyHash)).toBeNull();
    const again = aClient({ email: client.email });
    expect(await store.clients.create(again)).toStrictEqual(again);
  });

  it('rejects what is created for it afterwards', async () => {
    const { user } = await filled();
    await deleteAll(user);
    const before = await stored.counts();
    const keys = someSigningKeys({ _id: user._id });
    expect(await store.clients.create(aClient({ owner: user._id }))).toBe('account_deleted');
    expect(await store.signingKeys.keepFirst(keys)).toBe('account_deleted');
    expect(await store.signingKeys.import(keys)).toBe('account_deleted');
    expect(await stored.counts()).toStrictEqual(before);
  });

  it('leaves a consistent store after each step, and can be repeated after an interruption', async () => {
    const { user, project } = await filled();
    for (let i = 2; i <= LICENSES_AT_ONCE; i++) await stored.licenseOf(project);
    const { accountDeletion, deletedLicenses } = store;
    expect(await accountDeletion.deleteEmpty(user._id, at(9))).toBe('has_clients');
    expect(await accountDeletion.deleteProject(user._id, true, at(9))).toBe('deleted');
    expect(await store.contradictions()).toStrictEqual([]);
    await deletedLicenses.removeSome();
    expect(await store.contradictions()).toStrictEqual([]);
    expect(await accountDeletion.deleteClients(user._id)).toBe('deleted');
    expect(await store.contradictions()).toStrictEqual([]);
    expect(await deleteAll(user)).toStrictEqual(['no_projects', 'deleted']);
    expect(await deleteAll(user)).toStrictEqual(['no_projects', 'deleted']);
  });

  it(`deletes at most ${CLIENTS_AT_ONCE} clients at once`, async () => {
    const user = await anAccount();
    for (let i = 0; i <= CLIENTS_AT_ONCE; i++) await stored.client({ owner: user._id });
    expect(await store.accountDeletion.deleteClients(user._id)).toBe('deleted');
    expect(await store.count('clients')).toBe(1);
    expect(await deleteAll(user)).toStrictEqual(['no_projects', 'deleted']);
  });

  describe('with a license that is active', () => {
    const activated = async () => {
      const all = await filled();
      await store.licenses.activate(...activationOf(all.license));
      return all;
    };

    it('deletes nothing of its project, unless active licenses are deleted too', async () => {
      const { user } = await activated();
      const before = await stored.counts();
      expect(await store.accountDeletion.hasActiveLicenses(user._id, at(10))).toBe(true);
      expect(await deleteAll(user, at(10))).toStrictEqual(['has_active_licenses', 'has_clients']);
      // The client without a project.
      const after = { ...(await stored.counts()), totals: before.totals };
      expect(after).toStrictEqual({ ...before, clients: before.clients - 1 });
      expect(await deleteAll(user)).toStrictEqual(['no_projects', 'deleted']);
    });

    it('deletes the project once the license has expired', async () => {
      const { user } = await activated();
      expect(await store.accountDeletion.hasActiveLicenses(user._id, AFTER_EVERY_TERM)).toBe(false);
      expect(await deleteAll(user, AFTER_EVERY_TERM)).toStrictEqual(['no_projects', 'deleted']);
    });
  });

  it('finds no active license where all are pending, revoked or of other accounts', async () => {
    const { user, license } = await filled();
    await stored.activeLicense();
    await store.licenses.revoke(...revocationOf(license));
    expect(await store.accountDeletion.hasActiveLicenses(user._id, at(4))).toBe(false);
    expect(await deleteAll(user, at(4))).toStrictEqual(['no_projects', 'deleted']);
  });

  it('changes nothing for a missing account', async () => {
    await filled();
    const before = await stored.counts();
    expect(await deleteAll(aUser())).toStrictEqual(['no_projects', 'deleted']);
    expect(await stored.counts()).toStrictEqual(before);
  });
});
