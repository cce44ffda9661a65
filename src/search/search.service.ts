import { Injectable } from '@nestjs/common';
import { hasScope, type Principal } from '../auth/principal.js';
import { CLIENTS } from '../clients/client.js';
import { LICENSES } from '../licenses/license.js';
import { LicensePresenter } from '../licenses/license.presenter.js';
import { LicensesService } from '../licenses/licenses.service.js';
import { LicenseMachines } from '../licenses/license-machines.service.js';
import { meantKey } from '../licenses/license-key-form.js';
import { LicenseReader } from '../licenses/license-reader.js';
import { MACHINE_ID } from '../machines/dto/machine.response.js';
import { PROJECTS } from '../projects/project.js';
import { searchForm } from '../shared/fields/search-form.js';
import { type AccountId, OBJECT_ID_PATTERN } from '../shared/ids.js';
import { NEWEST_FIRST } from '../shared/pagination/page.js';
import { Store } from '../storage/store.js';
import type { FoundDto } from './dto/search.dto.js';

/** Most records of a kind. */
const MAX_FOUND = 5;
/** Digits by which a machine without a name is shown. */
const SHOWN_DIGITS = 12;

/** Finds records of an account by what the caller knows of them. */
@Injectable()
export class SearchService {
  constructor(
    private readonly store: Store,
    private readonly licenses: LicensesService,
    private readonly machines: LicenseMachines,
    private readonly reader: LicenseReader,
    private readonly presenter: LicensePresenter,
  ) {}

  async search(caller: Principal, q: string): Promise<FoundDto[]> {
    const { accountId } = caller;
    const [licenses, machines, clients, projects] = await Promise.all([
      this.findLicenses(accountId, q),
      MACHINE_ID.test(q) ? this.findMachines(accountId, q) : [],
      hasScope(caller, 'clients:read') ? this.findClients(accountId, searchForm(q)) : [],
      hasScope(caller, 'projects:read') ? this.findProjects(accountId, searchForm(q)) : [],
    ]);
    return [...licenses, ...machines, ...clients, ...projects];
  }

  private async findLicenses(user: AccountId, q: string): Promise<FoundDto[]> {
    const byExternalId = await this.store.find(LICENSES, { user, externalId: q });
    const ids = [OBJECT_ID_PATTERN.test(q) ? q.toLowerCase() : undefined, byExternalId?._id];
    const found = await Promise.all([
      meantKey(q) === undefined ? null : this.licenses.findByKey(q, user),
      ...ids.map((_id) => (_id === undefined ? null : this.reader.findOwned(_id, user))),
    ]);
    const licenses = new Map(found.flatMap((one) => (one ? [[one._id, one]] : [])));
    const presented = await this.presenter.presentAll([...licenses.values()]);
    return presented.map(({ _id, keyHint, clientName, projectName }) => ({
      kind: 'license',
      _id,
      title: projectName ?? '',
      subtitle: `•••• ${keyHint}, ${clientName ?? ''}`,
    }));
  }

  private async findMachines(user: AccountId, machineId: string): Promise<FoundDto[]> {
    const page = { limit: MAX_FOUND, after: undefined };
    const { data } = await this.machines.listLicensesOf(user, machineId, page);
    const licenses = await this.presenter.presentAll(data.map(({ license }) => license));
    return licenses.map(({ _id, keyHint, projectName }, index) => ({
      kind: 'machine',
      _id,
      title: data[index]!.machine.name ?? machineId.slice(0, SHOWN_DIGITS),
      subtitle: `•••• ${keyHint}, ${projectName ?? ''}`,
    }));
  }

  private async findClients(owner: AccountId, text: string): Promise<FoundDto[]> {
    const part = { contains: text };
    const filter = { owner, or: [{ searchName: part }, { searchEmail: part }] };
    const clients = await this.store.list(CLIENTS, filter, NEWEST_FIRST, { limit: MAX_FOUND });
    return clients.map(({ _id, name, email }) => ({
      kind: 'client',
      _id,
      title: name,
      subtitle: email,
    }));
  }

  private async findProjects(owner: AccountId, text: string): Promise<FoundDto[]> {
    const filter = { owner, searchName: { contains: text } };
    const projects = await this.store.list(PROJECTS, filter, NEWEST_FIRST, { limit: MAX_FOUND });
    return Promise.all(
      projects.map(async ({ _id, name, client }): Promise<FoundDto> => {
        const parent = await this.store.find(CLIENTS, { _id: client });
        return { kind: 'project', _id, title: name, subtitle: parent?.name ?? '' };
      }),
    );
  }
}
