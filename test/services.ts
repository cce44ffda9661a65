import type { Type } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { MachineIdProvider } from '../src/machines/machine-id.provider.js';
import { AppModule } from '../src/app.module.js';
import { type User, USERS } from '../src/auth/accounts/user.js';
import { PasswordHasher } from '../src/auth/passwords/password-hasher.js';
import { SESSIONS } from '../src/auth/sessions/session.js';
import { COLLECTIONS } from '../src/collections.js';
import { LicenseKeyService } from '../src/licenses/license-key.service.js';
import { type License, LICENSES } from '../src/licenses/license.js';
import type { Project } from '../src/projects/project.js';
import { loadConfig } from '../src/shared/config/load-config.js';
import { newAccountId, newObjectId } from '../src/shared/ids.js';
import { createLogger } from '../src/shared/logging/logger.js';
import { newTotals, TOTALS } from '../src/shared/quotas/account-totals.js';
import { DEPLOYMENT } from '../src/shared/sealing/deployment.js';
import { Clock } from '../src/shared/time/clock.js';
import { type Change, insert, removeAll, replace } from '../src/storage/changes.js';
import type { Collection, Stored } from '../src/storage/collection.js';
import { SqliteStore } from '../src/storage/sqlite/sqlite-store.js';
import { beforeNextCommit } from './before-next-commit.js';
import { aLicense, aPrincipal, aSession, aUser } from './builders.js';
import { cheapPasswords } from './cheap-passwords.js';
import { ModelStore } from './contract/model-store.js';
import { SECRETS } from './engines.js';
import { FakeClock, START } from './fake-clock.js';
import { NO_LIMITS } from './no-limits.js';

export const PASSWORD = 'seven quiet lanterns drift';
export const DEVICE = { address: '192.0.2.1', userAgent: null };

/** Every kind of record except the deployment's keys, which an instance reads once. */
export const RECORDS: readonly Collection<Stored>[] = COLLECTIONS.filter(
  (one) => one !== DEPLOYMENT,
);

/**
 * The application's services, wired as in production, for the tests of the calling block. Their store is in memory and
 * emptied before each test.
 *
 * @param shared the store and clock of another instance
 * @param env variables of the application
 */
export function useServices(
  shared?: { readonly store: ModelStore; readonly clock: FakeClock },
  env: NodeJS.ProcessEnv = {},
) {
  const { store, clock } = shared ?? { store: new ModelStore(), clock: new FakeClock() };
  let nest: TestingModule;
  const the = <T>(service: Type<T>) => nest.get<T>(service, { strict: false });
  beforeAll(async () => {
    const config = loadConfig({ ...SECRETS, ...NO_LIMITS, CONSOLE: 'false', ...env });
    const logger = createLogger({ logLevel: 'silent' }, process.stderr);
    nest = await Test.createTestingModule({ imports: [AppModule.forRoot(config, logger)] })
      .overrideProvider(SqliteStore)
      .useValue(store)
      .overrideProvider(Clock)
      .useValue(clock)
      .overrideProvider(PasswordHasher)
      .useValue(cheapPasswords())
      .compile();
    await the(MachineIdProvider).onModuleInit();
  });
  beforeEach(async () => {
    await store.commit(RECORDS.map((collection) => removeAll(collection, {})));
    clock.set(START);
  });
  afterEach(() => jest.restoreAllMocks());

  const put = async (...changes: Change[]) => {
    const committed = await store.commit(changes);
    if (!committed.ok) throw new Error(`The change ${committed.failed.kind} could not be made`);
  };
  /** A record as stored now. */
  const stored = async <R extends Stored>(collection: Collection<R>, { _id }: R): Promise<R> =>
    (await store.find(collection, { _id } as Partial<R>))!;
  const add = async <R extends Stored>(collection: Collection<R>, record: R) => {
    await put(insert(collection, record));
    return stored(collection, record);
  };
  /** Changes fields of a record, whatever its current state. */
  const change = async <R extends Stored>(
    collection: Collection<R>,
    record: R,
    fields: Partial<R>,
  ) => {
    const before = await stored(collection, record);
    await put(replace(collection, before, { ...before, ...fields }));
  };
  /** Stores a member of an account with {@link PASSWORD}. */
  const addMember = async ({ account }: Pick<User, 'account'>, fields: Partial<User> = {}) => {
    const passwordHash = await the(PasswordHasher).hash(PASSWORD);
    return add(USERS, aUser({ role: 'admin', passwordHash, ...fields, account }));
  };
  /** Stores an account whose owner has {@link PASSWORD}. */
  const addAccount = async (fields: Partial<User> = {}) => {
    const account = newAccountId();
    await put(insert(TOTALS, newTotals(account)));
    return addMember({ account }, { role: 'owner', ...fields });
  };
  /** A member in a new session. */
  const inSession = async (user: User) =>
    aPrincipal(user, (await add(SESSIONS, aSession(user)))._id);
  /** Stores a license with a key of its project. */
  const addLicense = (project: Project, fields: Partial<License> = {}) => {
    const [_id, keys] = [newObjectId(), the(LicenseKeyService)];
    const key = keys.store(keys.generate(project._id), _id);
    return add(LICENSES, aLicense(project, { _id, ...key, ...fields }));
  };
  return {
    ...{
      store,
      clock,
      the,
      put,
      stored,
      add,
      change,
      addAccount,
      addMember,
      inSession,
      addLicense,
    },
    beforeNextCommit: (act: () => Promise<unknown>) => beforeNextCommit(store, act),
  };
}
