import { Injectable } from '@nestjs/common';
import type { Scope } from '../auth/access/operations.js';
import { hasScope, type Principal } from '../auth/principal.js';
import { CLIENTS, clientsOf } from '../clients/client.js';
import { LicensePresenter } from '../licenses/license.presenter.js';
import { LicensesService } from '../licenses/licenses.service.js';
import { LicenseMachines } from '../licenses/license-machines.service.js';
import { meantKey } from '../licenses/license-key-form.js';
import { LicenseReader } from '../licenses/license-reader.js';
import type { License } from '../licenses/license.js';
import { MACHINES } from '../machines/machine.js';
import { PLANS } from '../plans/plan.js';
import { PROJECTS } from '../projects/project.js';
import { searchForm } from '../shared/fields/search-form.js';
import { type AccountId, OBJECT_ID_PATTERN } from '../shared/ids.js';
import { NEWEST_FIRST } from '../shared/pagination/page.js';
import { Store } from '../storage/store.js';
import type { FoundDto } from './dto/search.dto.js';

/** Maximum number of records per kind. */
const MAX_FOUND = 5;
/** Digits shown for a machine without a name. */
const SHOWN_DIGITS = 12;
/** A machine's hash, or the shortened form that is shown. */
const MACHINE = new RegExp(`^[0-9a-f]{${SHOWN_DIGITS},64}$`, 'i');
/** The last four characters of a license key, alone or after a placeholder for the rest: `•••• MO1H`, `LIC-…-MO1H`. */
const KEY_HINT = /^(?:.*(?:•|…|\*|\.{3})[\s-]*)?([A-Z0-9]{4})$/i;

const NEWEST_ID = { by: '_id', direction: 'desc' } as const;
const BY_EXTERNAL_ID = { by: 'externalId', direction: 'asc' } as const;
const BY_MACHINE_ID = { by: 'machineId', direction: 'asc' } as const;

/** Finds an account's records by what the caller knows about them. */
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
    const text = searchForm(q);
    // A text that is only an accent becomes empty.
    const finds = (scope: Scope) => text !== '' && hasScope(caller, scope);
    const found = await Promise.all([
      this.findLicenses(accountId, q),
      MACHINE.test(q) ? this.findMachines(accountId, q.toLowerCase()) : [],
      finds('clients:read') ? this.findClients(accountId, text) : [],
      finds('projects:read') ? this.findProjects(accountId, text) : [],
      finds('plans:read') ? this.findPlans(accountId, text) : [],
    ]);
    return found.flat();
  }

  private async findLicenses(user: AccountId, q: string): Promise<FoundDto[]> {
    const [, hint] = KEY_HINT.exec(q) ?? [];
    const beginning = { user, externalId: { startsWith: q } };
    const hints = new Set(hint ? [hint, hint.toUpperCase()] : []);
    const found = await Promise.all([
      this.findByKey(user, q),
      OBJECT_ID_PATTERN.test(q) ? this.reader.findOwned(q.toLowerCase(), user) : null,
      ...[...hints].map((keyHint) => this.reader.first({ user, keyHint }, NEWEST_ID, MAX_FOUND)),
      this.reader.first(beginning, BY_EXTERNAL_ID, MAX_FOUND),
    ]);
    const licenses = new Map(found.flat().flatMap((one) => (one ? [[one._id, one]] : [])));
    const presented = await this.presenter.presentAll([...licenses.values()].slice(0, MAX_FOUND));
    return presented.map(({ _id, keyHint, clientName, projectName }) => ({
      kind: 'license',
      _id,
      title: projectName ?? '',
      subtitle: `•••• ${keyHint}, ${clientName ?? ''}`,
    }));
  }

  /** Any text may be an imported key, so only unknown keys in our format count towards the limit. */
  private async findByKey(user: AccountId, q: string): Promise<License | null> {
    if (meantKey(q) !== undefined) return this.licenses.findByKey(q, user);
    const license = await this.reader.findByKey(q);
    return license?.user === user ? license : null;
  }

  private async findMachines(user: AccountId, digits: string): Promise<FoundDto[]> {
    const filter = { user, machineId: { startsWith: digits } };
    const [first] = await this.store.list(MACHINES, filter, BY_MACHINE_ID, { limit: 1 });
    if (!first) return [];
    const { machineId } = first;
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
    const filter = clientsOf(owner, text);
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

  private async findPlans(owner: AccountId, text: string): Promise<FoundDto[]> {
    const filter = { owner, searchName: { contains: text } };
    const plans = await this.store.list(PLANS, filter, NEWEST_FIRST, { limit: MAX_FOUND });
    return plans.map(({ _id, name, product }) => ({
      kind: 'plan',
      _id,
      title: name,
      subtitle: product ?? '',
    }));
  }
}
