import { type Event, EVENTS } from '../src/events/event.js';
import { LicenseEvents } from '../src/licenses/license-events.service.js';
import { LicenseKeyService } from '../src/licenses/license-key.service.js';
import { LicenseReader } from '../src/licenses/license-reader.js';
import { type License, LICENSES } from '../src/licenses/license.js';
import { type Project, PROJECTS } from '../src/projects/project.js';
import type { Config } from '../src/shared/config/config.js';
import { newObjectId } from '../src/shared/ids/object-id.js';
import { DataKeys } from '../src/shared/sealing/data-keys.js';
import { type Change, insert, remove, replace } from '../src/storage/changes.js';
import { Decisions } from '../src/storage/decisions.js';
import { IdempotencyQuota } from '../src/storage/idempotency-quota.js';
import { beforeNextCommit } from './before-next-commit.js';
import { aClient } from './builders/client.builder.js';
import { aLicense } from './builders/license.builder.js';
import { aProject } from './builders/project.builder.js';
import { at } from './builders/time.js';
import { ModelStore } from './contract/model-store.js';
import { FakeClock } from './fake-clock.js';
import { NO_QUOTAS } from './no-limits.js';

const CONFIG = { keyPrefix: 'LIC', quotas: NO_QUOTAS } as Config;

/** The services of licenses on a store in memory, with an account. The clock stands 5 minutes after the start of the builders' times. */
export class LicenseServices {
  readonly clock = new FakeClock();
  readonly store = new ModelStore();
  readonly keys = new LicenseKeyService(CONFIG, new DataKeys(Buffer.alloc(96, 1)));
  readonly decisions = new Decisions(
    this.store,
    new IdempotencyQuota(this.store, CONFIG),
    this.clock,
  );
  readonly reader = new LicenseReader(this.store, this.keys);
  readonly events = new LicenseEvents(this.store, this.keys);
  readonly client = aClient();
  readonly account = this.client.owner;

  constructor() {
    this.clock.set(at(5).toISOString());
  }

  async project(fields: Partial<Project> = {}): Promise<Project> {
    const project = aProject(this.client, fields);
    await this.put(insert(PROJECTS, project));
    return this.stored(project);
  }

  /** Stores a license with a key of its project. */
  async license(project: Project, fields: Partial<License> = {}): Promise<License> {
    const _id = newObjectId();
    const key = this.keys.store(this.keys.generate(project._id), _id);
    await this.put(insert(LICENSES, aLicense(project, { _id, ...key, ...fields })));
    return (await this.store.find(LICENSES, { _id }))!;
  }

  async stored({ _id }: Project): Promise<Project> {
    return (await this.store.find(PROJECTS, { _id }))!;
  }

  /** Deletes a project, and leaves its licenses to the worker. */
  async delete(project: Project): Promise<void> {
    await this.put(remove(PROJECTS, await this.stored(project)));
  }

  /** Gives a project its product, and leaves that of its licenses to the worker. */
  async setProduct(project: Project, product: string): Promise<void> {
    const before = await this.stored(project);
    await this.put(replace(PROJECTS, before, { ...before, product }));
  }

  /** The events of a license in the order in which they were stored. */
  eventsOf({ _id }: License): Event[] {
    return this.store.all(EVENTS).filter(({ subject }) => subject === _id);
  }

  async put(...changes: Change[]): Promise<void> {
    const committed = await this.store.commit(changes);
    if (!committed.ok) throw new Error(`The change ${committed.failed.kind} could not be made`);
  }

  /** Does something between the decision of the next commit and the commit. */
  beforeNextCommit(act: () => Promise<unknown>): void {
    beforeNextCommit(this.store, act);
  }
}
