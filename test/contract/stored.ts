import type { Client } from '../../src/clients/client.js';
import type { License } from '../../src/licenses/license.js';
import type { Project } from '../../src/projects/project.js';
import { aClient } from '../builders/client.builder.js';
import { anEvent } from '../builders/event.builder.js';
import { aLicense, aNewLicense, anActivation } from '../builders/license.builder.js';
import { aProject } from '../builders/project.builder.js';
import type { StoreUnderTest } from './store-under-test.js';

/** Puts records into a store, each as it is, and gives them back. */
export class Stored {
  constructor(private readonly store: StoreUnderTest) {}

  async client(fields: Partial<Client> = {}): Promise<Client> {
    const client = aClient(fields);
    expect(await this.store.clients.create(client)).toStrictEqual(client);
    return client;
  }

  /** A project with its first license, of a client of its own unless told. */
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

  /** The first license of a project of its own. */
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
    const license = await this.license();
    const machineId = 'machine 1';
    const event = anEvent(license, 'activated', { machineId });
    const active = await this.store.licenses.activate(license._id, anActivation(machineId), event);
    if (!active) throw new Error('A new license was not activated');
    return active;
  }
}
