import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { seesLicenseKeys } from '../auth/principal.js';
import { CLIENTS } from '../clients/client.js';
import { Machines } from '../machines/machines.service.js';
import { PROJECTS } from '../projects/project.js';
import { requestContext } from '../shared/request-context.js';
import { Clock } from '../shared/time/clock.js';
import type { Collection, Stored } from '../storage/collection.js';
import { Store } from '../storage/store.js';
import { type ChangedLicense, type LicenseDto, toLicenseDto } from './dto/license.response.js';
import { LicenseKeyService, maskedKey } from './license-key.service.js';
import type { License } from './license.js';
import type { ShownLicense } from './shown-license.js';

/** Licenses whose keys are unsealed at a time: it takes milliseconds, in which nothing else runs. */
const UNSEALED = 20;

/** Presents licenses to the current caller: with their keys unsealed if the caller may see them. */
@Injectable()
export class LicensePresenter {
  constructor(
    private readonly keys: LicenseKeyService,
    private readonly store: Store,
    private readonly machines: Machines,
    private readonly clock: Clock,
  ) {}

  /** The licenses of an account as they are now. */
  async presentAll(licenses: readonly License[]): Promise<LicenseDto[]> {
    const at = this.clock.now();
    const [clients, projects, machines] = await Promise.all([
      this.namesOf(
        CLIENTS,
        licenses.map(({ client }) => client),
      ),
      this.namesOf(
        PROJECTS,
        licenses.map(({ project }) => project),
      ),
      this.machines.inUseOfEach(licenses, at),
    ]);
    const presented: LicenseDto[] = [];
    for (const [index, license] of licenses.entries()) {
      if (index > 0 && index % UNSEALED === 0) await setImmediate();
      const names = {
        clientName: clients.get(license.client) ?? null,
        projectName: projects.get(license.project) ?? null,
      };
      presented.push(this.present({ license, names, machines: machines.get(license._id)!, at }));
    }
    return presented;
  }

  present(shown: ShownLicense): LicenseDto {
    return toLicenseDto(shown, this.keyOf(shown.license));
  }

  respond(message: string, shown: ShownLicense): ChangedLicense {
    return { message, license: this.present(shown) };
  }

  /** The license as programs of its account may see it: without its key. */
  presentWithoutKey(shown: ShownLicense): Omit<LicenseDto, 'key'> {
    const { key, ...license } = toLicenseDto(shown, this.keys.masked(shown.license));
    return { ...license, keyHint: key.slice(-4) };
  }

  /** The key of a license; its last four characters if the current caller may not see it. */
  private keyOf(license: License): string {
    const key = this.keys.reveal(license);
    return seesLicenseKeys(requestContext.getStore()?.principal) ? key : maskedKey(key);
  }

  private async namesOf<R extends Stored & { readonly name: string }>(
    collection: Collection<R>,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    const found = await Promise.all(
      [...new Set(ids)].map((_id) => this.store.find(collection, { _id } as Partial<R>)),
    );
    return new Map(found.flatMap((record) => (record ? [[record._id, record.name]] : [])));
  }
}
