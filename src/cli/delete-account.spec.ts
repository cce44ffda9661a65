import { AccountServices } from '../../test/account-services.js';
import { aClient } from '../../test/builders/client.builder.js';
import { anEvent } from '../../test/builders/event.builder.js';
import { anIdempotencyRecord } from '../../test/builders/idempotency-record.builder.js';
import { activeUntil, aLicense } from '../../test/builders/license.builder.js';
import { aProject } from '../../test/builders/project.builder.js';
import { someSigningKeys } from '../../test/builders/signing-keys.builder.js';
import { NO_QUOTAS } from '../../test/no-limits.js';
import { type User, USERS } from '../auth/accounts/user.js';
import { SIGNING_KEYS } from '../certificates/signing-keys/signing-keys.js';
import { CLIENTS } from '../clients/client.js';
import { COLLECTIONS } from '../collections.js';
import { EVENTS } from '../events/event.js';
import { LicenseEvents } from '../licenses/license-events.service.js';
import type { LicenseKeyService } from '../licenses/license-key.service.js';
import { type License, LICENSES } from '../licenses/license.js';
import type { ProjectTasksWorker } from '../projects/project-tasks.worker.js';
import { type Project, PROJECTS } from '../projects/project.js';
import { ExternalIds } from '../licenses/external-ids.js';
import { PlanReader } from '../plans/plan-reader.js';
import { ProjectsService } from '../projects/projects.service.js';
import type { Config } from '../shared/config/config.js';
import { IDEMPOTENCY_RECORDS } from '../shared/idempotency/idempotency-record.js';
import { AccountQuotas, TOTALS } from '../shared/quotas/account-totals.js';
import { type Change, increment, insert, replace, touch } from '../storage/changes.js';
import { type Collection, NOT_STORED, type Stored } from '../storage/collection.js';
import { deleteAccount } from './delete-account.js';

describe('deleteAccount', () => {
  let services: AccountServices;
  let user: User;
  beforeEach(async () => {
    services = new AccountServices();
    user = await services.account({ email: 'ada@studio.example' });
  });

  const run = (withLicenses = false, { email } = user) => {
    const { store, clock, accounts, decisions } = services;
    const projects = new ProjectsService(
      store,
      decisions,
      new AccountQuotas({ quotas: NO_QUOTAS } as Config, store),
      {} as LicenseKeyService,
      new LicenseEvents(store, { masked: () => '•••• 93KD' } as unknown as LicenseKeyService),
      new PlanReader(store),
      new ExternalIds(store),
      { wake: () => undefined } as ProjectTasksWorker,
      clock,
    );
    return deleteAccount(email, withLicenses, { accounts, projects, store, clock });
  };

  const put = async (...changes: Change[]) => {
    expect(await services.store.commit(changes)).toMatchObject({ ok: true });
  };

  /** Stores a client with a project that has a license. */
  const addProject = async (owner: User, fields: Partial<License> = {}) => {
    const client = aClient({ owner: owner.account, projectsCount: 1 });
    const project = aProject(client, { licensesCount: 1 });
    const license = aLicense(project, fields);
    const added = { clientsCount: 1, projectsCount: 1, licensesCount: 1 };
    await put(
      increment(TOTALS, owner.account, added),
      insert(CLIENTS, client),
      insert(PROJECTS, project),
      insert(LICENSES, license),
      insert(EVENTS, anEvent(license, 'license.created')),
    );
    return { project, license };
  };

  /** Stores a record of each kind that an account has. */
  const fill = async (owner: User) => {
    const { account: _id } = owner;
    await services.logIn(owner);
    const record = { ...anIdempotencyRecord({ owner: _id }), result: {}, version: NOT_STORED };
    await put(insert(SIGNING_KEYS, someSigningKeys({ _id })), insert(IDEMPOTENCY_RECORDS, record));
    return addProject(owner);
  };

  /** Everything that is stored. */
  const stored = () =>
    COLLECTIONS.flatMap((collection: Collection<Stored>) => services.store.all(collection));

  const activate = async ({ project, license }: { project: Project; license: License }) => {
    const before = (await services.store.find(LICENSES, { _id: license._id }))!;
    const end = new Date(services.clock.now().getTime() + 1_000);
    const after = { ...before, ...activeUntil(end) };
    await put(touch(PROJECTS, project._id), replace(LICENSES, before, after));
  };

  it('leaves nothing of the account, and everything of other accounts', async () => {
    await fill(user);
    const before = stored();
    const doomed = await services.account({ email: 'bob@studio.example' });
    await fill(doomed);
    const { license } = await addProject(doomed);
    // More than a step removes.
    await put(
      ...Array.from({ length: 1_001 }, () => insert(EVENTS, anEvent(license, 'license.renewed'))),
    );
    expect(await run(false, doomed)).toBe(
      'Account bob@studio.example is deleted, with everything that it had.',
    );
    expect(stored()).toStrictEqual(before);
    await expect(run(true, doomed)).rejects.toThrow('There is no account bob@studio.example.');
  });

  it('deletes nothing of an account with active licenses, unless they are deleted with it', async () => {
    await activate(await fill(user));
    const before = stored();
    await expect(run()).rejects.toThrow(/^Account .+ has active licenses: .+ --with-licenses\.$/);
    expect(stored()).toStrictEqual(before);
    await run(true);
    expect(stored()).toStrictEqual([]);
  });

  it('keeps a license that is activated meanwhile, and leaves the account disabled', async () => {
    const first = await fill(user);
    services.clock.advance({ seconds: 60 });
    await addProject(user);
    const disable = services.accounts.disable.bind(services.accounts);
    jest.spyOn(services.accounts, 'disable').mockImplementationOnce(async (email) => {
      const outcome = await disable(email);
      services.beforeNextCommit(() => activate(first));
      return outcome;
    });
    await expect(run()).rejects.toThrow(/was activated meanwhile.*disabled.*--with-licenses/);
    expect(services.store.all(LICENSES)).toContainEqual(
      expect.objectContaining({ _id: first.license._id, status: 'ACTIVE' }),
    );
    expect(services.store.all(TOTALS)).toMatchObject([{ disabledAt: expect.any(Date) as Date }]);
    await run(true);
    expect(services.store.all(LICENSES)).toStrictEqual([]);
  });

  it('deletes a project that an access token creates meanwhile, but not its license once that is active', async () => {
    const disable = services.accounts.disable.bind(services.accounts);
    jest.spyOn(services.accounts, 'disable').mockImplementation(async (email) => {
      const outcome = await disable(email);
      // Before the totals are removed.
      services.beforeNextCommit(async () => activate(await addProject(user)));
      return outcome;
    });
    await expect(run()).rejects.toThrow('was activated meanwhile');
    expect(services.store.all(TOTALS)).toHaveLength(1);
    await run(true);
    expect(stored()).toStrictEqual([]);
  });

  it('is resumed by the same call, wherever it was interrupted', async () => {
    for (let commits = 1; ; commits++) {
      await fill(user);
      const commit = services.store.commit.bind(services.store);
      let left = commits;
      jest.spyOn(services.store, 'commit').mockImplementation((changes) => {
        if (left-- === 0) throw new Error('killed');
        return commit(changes);
      });
      const outcome = await run().catch((error: Error) => error.message);
      jest.restoreAllMocks();
      if (outcome !== 'killed') return expect(commits).toBeGreaterThan(COLLECTIONS.length - 1);
      expect(services.store.all(USERS)).toHaveLength(1);
      await run();
      expect(stored()).toStrictEqual([]);
      user = await services.account({ email: user.email });
    }
  });
});
