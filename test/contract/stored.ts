import type { User } from '../../src/auth/accounts/user.js';
import type { SigningKeys } from '../../src/certificates/signing-keys/signing-keys.js';
import type { Client } from '../../src/clients/client.js';
import type { Totals } from '../../src/dashboard/dashboard.js';
import type { License } from '../../src/licenses/license.js';
import type { LicenseEvent } from '../../src/licenses/license-event.js';
import type { Project } from '../../src/projects/project.js';
import type { AccountId } from '../../src/shared/ids/account-id.js';
import { aClient } from '../builders/client.builder.js';
import { aLicense, aNewLicense } from '../builders/license.builder.js';
import { aProject } from '../builders/project.builder.js';
import { someSigningKeys } from '../builders/signing-keys.builder.js';
import { aUser } from '../builders/user.builder.js';
import { firstPage } from './pages.js';
import { activationOf } from './port-arguments.js';
import { type StoreUnderTest, type Table, TABLES } from './store-under-test.js';

/** Stores records by the ports of a store, and reads what is stored. */
export class Stored {
  constructor(private readonly store: StoreUnderTest) {}

  async user(fields: Partial<User> = {}): Promise<User> {
    const user = aUser(fields);
    expect(await this.store.users.create(user)).toBe('created');
    return user;
  }

  async client(fields: Partial<Client> = {}): Promise<Client> {
    const client = aClient(fields);
    expect(await this.store.clients.create(client)).toStrictEqual(client);
    return client;
  }

  /** A project with its first license; without `client`, of a new client. */
  async project(
    client?: Client,
    fields: Partial<Project> = {},
    first: Partial<License> = {},
  ): Promise<{ project: Project; license: License }> {
    const project = aProject(client ?? (await this.client()), fields);
    const license = aLicense(project, first);
    const created = { project, license };
    expect(
      await this.store.projects.createWithFirstLicense(project, aNewLicense(license)),
    ).toStrictEqual(created);
    return created;
  }

  /** The first license of a new project. */
  async license(fields: Partial<License> = {}): Promise<License> {
    return (await this.project(undefined, {}, fields)).license;
  }

  /** One more license of a project. */
  async licenseOf(project: Project, fields: Partial<License> = {}): Promise<License> {
    const license = aLicense(project, fields);
    expect(await this.store.projects.addLicense(aNewLicense(license))).toStrictEqual(license);
    return license;
  }

  /** A license that was activated two minutes after the start, for six months. */
  async activeLicense(): Promise<License> {
    const active = await this.store.licenses.activate(...activationOf(await this.license()));
    if (!active) throw new Error('A new license was not activated');
    return active;
  }

  /** The first signing keys of an account. */
  async signingKeys(fields: Partial<SigningKeys> = {}): Promise<SigningKeys> {
    const keys = someSigningKeys(fields);
    expect(await this.store.signingKeys.keepFirst(keys)).toStrictEqual(keys);
    return keys;
  }

  /** Finds a license by its key and by its id, which must find the same. */
  async find({ keyHash, _id, user }: License): Promise<License | null> {
    const license = await this.store.licenses.findByKeyHash(keyHash);
    expect(await this.store.licenses.findOwned(_id, user)).toStrictEqual(license);
    return license;
  }

  /** The latest 100 events of a license. */
  async eventsOf({ _id }: Pick<License, '_id'>): Promise<readonly LicenseEvent[]> {
    return (await this.store.events.list(_id, firstPage())).data;
  }

  /** The numbers of records that an account has. */
  async totalsOf(owner: AccountId): Promise<Totals> {
    const everything = { client: undefined, search: undefined };
    return (await this.store.dashboard.read(owner, everything, firstPage(1))).totals;
  }

  /** The number of records of each table. */
  async counts(): Promise<Record<Table, number>> {
    const counts = TABLES.map(async (table) => [table, await this.store.count(table)] as const);
    return Object.fromEntries(await Promise.all(counts)) as Record<Table, number>;
  }
}
