import { CLIENTS } from '../src/clients/client.js';
import { type License, LICENSES } from '../src/licenses/license.js';
import { type Project, PROJECTS } from '../src/projects/project.js';
import { ProjectTasksWorker } from '../src/projects/project-tasks.worker.js';
import { ProjectsService } from '../src/projects/projects.service.js';
import type { Config, Quotas } from '../src/shared/config/config.js';
import { newObjectId } from '../src/shared/ids/object-id.js';
import { AccountQuotas, TOTALS } from '../src/shared/quotas/account-totals.js';
import { increment, insert } from '../src/storage/changes.js';
import { aLicense } from './builders/license.builder.js';
import { LicenseServices } from './license-services.js';
import { NO_QUOTAS } from './no-limits.js';

/** The terms of a new license. */
export const TERMS = { duration: 6, services: ['Hosting'] as const };

/** The services of projects on a store in memory, with an account that has a client. */
export class ProjectServices extends LicenseServices {
  readonly worker = new ProjectTasksWorker(this.store, this.events, this.decisions, this.clock);
  readonly projects: ProjectsService;

  private constructor(quotas: Partial<Quotas>) {
    super();
    this.projects = new ProjectsService(
      this.store,
      this.decisions,
      new AccountQuotas({ quotas: { ...NO_QUOTAS, ...quotas } } as Config, this.store),
      this.keys,
      this.events,
      this.plans,
      this.externalIds,
      this.worker,
      this.clock,
    );
  }

  static async create(quotas: Partial<Quotas> = {}): Promise<ProjectServices> {
    const services = new ProjectServices(quotas);
    await services.register();
    await services.put(insert(CLIENTS, services.client));
    return services;
  }

  /** Creates a project with its first license. */
  create(fields: Partial<Pick<Project, 'client' | 'name' | 'product'>> = {}) {
    const project = { client: this.client._id, name: 'Shop', product: 'web-shop', ...fields };
    return this.projects.createWithFirstLicense(this.account, project, TERMS);
  }

  /** Stores one more license of a project. */
  async add({ _id, ...project }: Project, fields: Partial<License> = {}): Promise<void> {
    const license = newObjectId();
    const key = this.keys.store(this.keys.generate(_id), license);
    await this.put(
      increment(PROJECTS, _id, { licensesCount: 1 }),
      increment(TOTALS, this.account, { licensesCount: 1 }),
      insert(LICENSES, aLicense({ _id, ...project }, { _id: license, ...key, ...fields })),
    );
  }

  /** The projects that the client counts, and the projects and licenses that the account counts. */
  async counts(): Promise<(number | undefined)[]> {
    const client = await this.store.find(CLIENTS, { _id: this.client._id });
    const totals = await this.store.find(TOTALS, { _id: this.account });
    return [client?.projectsCount, totals?.projectsCount, totals?.licensesCount];
  }
}
