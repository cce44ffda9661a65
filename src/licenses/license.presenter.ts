import { Injectable } from '@nestjs/common';
import { seesLicenseKeys } from '../auth/principal.js';
import { CLIENTS } from '../clients/client.js';
import { PROJECTS } from '../projects/project.js';
import { requestContext } from '../shared/request-context.js';
import { Clock } from '../shared/time/clock.js';
import type { Collection, Stored } from '../storage/collection.js';
import { Store } from '../storage/store.js';
import { type ChangedLicense, type LicenseDto, toLicenseDto } from './dto/license.response.js';
import { LicenseKeyService, maskedKey } from './license-key.service.js';
import type { License, ParentNames, ShownLicense } from './license.js';

/** Presents licenses to the present caller: with their keys unsealed where the caller may see them, and the names of their clients and projects. */
@Injectable()
export class LicensePresenter {
  constructor(
    private readonly keys: LicenseKeyService,
    private readonly store: Store,
    private readonly clock: Clock,
  ) {}

  /** The licenses with their current statuses. */
  async presentAll(licenses: readonly License[]): Promise<LicenseDto[]> {
    const [clients, projects] = await Promise.all([
      this.namesOf(
        CLIENTS,
        licenses.map(({ client }) => client),
      ),
      this.namesOf(
        PROJECTS,
        licenses.map(({ project }) => project),
      ),
    ]);
    const now = this.clock.now();
    return licenses.map((license) => {
      const clientName = clients.get(license.client) ?? null;
      const projectName = projects.get(license.project) ?? null;
      return toLicenseDto(license, this.keyOf(license), { clientName, projectName }, now);
    });
  }

  async present(license: License): Promise<LicenseDto> {
    const [presented] = await this.presentAll([license]);
    return presented!;
  }

  /**
   * The license as of the request, so that a repeated request gets the first response, however late.
   *
   * @param result with the names of its parents; as of its last change if it has no time
   */
  presentChanged(result: License & Partial<ParentNames & ShownLicense>): LicenseDto {
    const { clientName = null, projectName = null, shownAt = result.updatedAt } = result;
    return toLicenseDto(result, this.keyOf(result), { clientName, projectName }, shownAt);
  }

  respond(message: string, license: License): ChangedLicense {
    return { message, license: this.presentChanged(license) };
  }

  /** The license at a time as programs of its account may see it: without its key. */
  presentWithoutKey(
    license: License,
    names: Pick<LicenseDto, 'clientName' | 'projectName'>,
    at: Date,
  ): Omit<LicenseDto, 'key'> {
    const { key, ...shown } = toLicenseDto(license, this.keys.masked(license), names, at);
    return { ...shown, keyHint: key.slice(-4) };
  }

  /** The key of a license; its last four characters where the present caller may not see it. */
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
