import { Injectable } from '@nestjs/common';
import { type Client, CLIENTS, newClient, clientEmailTaken } from '../clients/client.js';
import { lookupForm } from '../licenses/license-key-form.js';
import { LicenseKeyService } from '../licenses/license-key.service.js';
import { LicenseReader } from '../licenses/license-reader.js';
import { endOfLicense, type License, LICENSES } from '../licenses/license.js';
import type { Conflicts } from '../limits/conflict-limiters.js';
import { MachineIdProvider } from '../machines/machine-id.provider.js';
import { type ImportedMachine, Seats } from '../machines/seats.service.js';
import { type Plan, PLANS } from '../plans/plan.js';
import { planFor } from '../plans/plans.service.js';
import { newProject, type Project, PROJECTS } from '../projects/project.js';
import { DomainError } from '../shared/errors/domain-error.js';
import type { AccountId } from '../shared/ids.js';
import { AccountQuotas } from '../shared/quotas/account-totals.js';
import { DataKeys } from '../shared/sealing/data-keys.js';
import { OLDEST_FIRST } from '../shared/pagination/page.js';
import { Clock } from '../shared/time/clock.js';
import { type Change, increment, insert, replace } from '../storage/changes.js';
import type { Decision } from '../storage/decisions.js';
import { Store } from '../storage/store.js';
import { importedLicense, importedTerms, type ValidRow } from './imported-license.js';
import type { Warning } from './prepared-row.js';
import { differingFields, digestOf, rowId } from './row-digest.js';
import type { ReadRow } from './row-reader.service.js';
import { licenseEvent } from '../licenses/license-events.js';

/** The importing account, and the source. */
export interface ImportInto {
  readonly accountId: AccountId;
  readonly source: string;
  /** Undefined in a check, which sees only the account's own records. */
  readonly conflicts: Conflicts | undefined;
}

/** The outcome of a row. */
export interface RowOutcome {
  readonly outcome: 'created' | 'same' | 'differs';
  readonly license: License;
  readonly warnings: readonly Warning[];
  /** The fields that differ. */
  readonly fields?: readonly string[];
  /** Records created with the license. */
  readonly newClient?: string | undefined;
  readonly newProject?: string | undefined;
}

/** Decides the outcome of a row. */
@Injectable()
export class RowImports {
  constructor(
    private readonly store: Store,
    private readonly quotas: AccountQuotas,
    private readonly keys: LicenseKeyService,
    private readonly licenses: LicenseReader,
    private readonly machineIds: MachineIdProvider,
    private readonly seats: Seats,
    private readonly dataKeys: DataKeys,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws DomainError KEY_TAKEN, CLIENT_EMAIL_TAKEN, PLAN_NOT_FOUND, LICENSE_EXISTS, TOO_MANY_REQUESTS,
   *   quota errors, END_UNKNOWN and END_TOO_FAR
   */
  async decide(
    { row, client: named, warnings }: ReadRow,
    { accountId, source, conflicts }: ImportInto,
    failed?: Change,
  ): Promise<Decision<RowOutcome>> {
    const importedAs = rowId(accountId, source, row.ref);
    const compared = { ...row, client: named, machines: [...row.machines] };
    const importDigest = digestOf(compared, (...parts) => this.dataKeys.hash(...parts));
    const before = await this.licenses.findImported(importedAs);
    if (before) {
      const fields = differingFields(before.importDigest, importDigest);
      const outcome = fields.length === 0 ? 'same' : 'differs';
      return { result: { outcome, license: before, fields, warnings: [] }, changes: [] };
    }
    await conflicts?.check(accountId);
    await this.requireKey(row.key, accountId, conflicts);
    const now = this.clock.now();
    const found = await this.findClient(named.email, accountId, conflicts);
    const client = found ?? newClient(accountId, named, now);
    const plan = await this.findPlan(row.plan, accountId);
    const existing = found && (await this.findProject(found, row));
    const project = existing ?? this.newProject(client, row, plan, now);
    const terms = importedTerms(row, planFor(project, plan), now);
    const holder = await this.licenses.findHolder(terms.externalId, accountId);
    const freeing = await this.licenses.freeExternalId(holder);
    const origin = { user: accountId, client: client._id, project: project._id };
    const imported = { product: project.product, importedAs, importDigest };
    const issued = this.keys.issueWithKey(row.key, { ...terms, ...origin, ...imported }, now);
    const machines = this.machinesOf(row, project);
    const seats = machines.length;
    const maxMachines = Math.max(terms.maxMachines, seats);
    const license = { ...importedLicense(issued, row, now), seats, maxMachines };
    const added = {
      licensesCount: 1,
      ...(!existing && { projectsCount: 1 }),
      ...(!found && { clientsCount: 1 }),
    };
    if (conflicts) await this.quotas.requireCounted(failed, accountId, added);
    const changes = [
      ...withParents(found, client, existing, project),
      this.quotas.add(accountId, added),
      ...freeing,
      insert(LICENSES, license),
      ...(await this.seats.takeImported(license, machines, now)),
      licenseEvent('imported', license, now, {
        data: {
          ...{ source, ref: row.ref, client: client._id, project: project._id },
          ...{ isNewClient: !found, isNewProject: !existing, plan: license.plan },
          ...{ externalId: license.externalId, status: license.status, machines: seats },
          expiresAt: endOfLicense(license),
        },
      }),
    ];
    const raised = maxMachines > terms.maxMachines ? (['MACHINES_RAISED'] as const) : [];
    const result: RowOutcome = {
      outcome: 'created',
      license,
      warnings: [...warnings, ...raised],
      newClient: found ? undefined : client.email,
      newProject: existing
        ? undefined
        : `${client.email} ${row.product ?? ''} ${row.project ?? ''}`,
    };
    return { result, changes };
  }

  private async requireKey(key: string, accountId: AccountId, conflicts?: Conflicts) {
    const keyHash = this.keys.hash(lookupForm(key));
    const holder = await this.store.find(LICENSES, { keyHash });
    if (!holder) return;
    const taken = new DomainError('KEY_TAKEN', { field: 'key' });
    if (holder.user === accountId) throw taken;
    await conflicts?.reject(accountId, taken);
  }

  private async findClient(email: string, accountId: AccountId, conflicts?: Conflicts) {
    const client = await this.store.find(CLIENTS, { email });
    if (!client || client.owner === accountId) return client;
    await conflicts?.reject(accountId, clientEmailTaken('client.email'));
    return null;
  }

  private async findPlan(name: string | undefined, owner: AccountId): Promise<Plan | null> {
    if (name === undefined) return null;
    const plan = await this.store.find(PLANS, { owner, name });
    if (!plan) throw new DomainError('PLAN_NOT_FOUND', { field: 'plan' });
    return plan;
  }

  /** The client's oldest project with the product or, if the row has no product, with the name. */
  private async findProject(client: Client, { product, project: name }: ValidRow) {
    const by = product === undefined ? { name: name! } : { product };
    const filter = { owner: client.owner, client: client._id, ...by };
    const [first] = await this.store.list(PROJECTS, filter, OLDEST_FIRST, { limit: 1 });
    return first;
  }

  private newProject(client: Client, row: ValidRow, plan: Plan | null, now: Date): Project {
    const product = row.product ?? plan?.product ?? null;
    const fields = { client: client._id, name: row.project ?? row.product!, product };
    return newProject(client.owner, fields, now);
  }

  private machinesOf({ machines }: ValidRow, { _id }: Project): ImportedMachine[] {
    const each = machines.map(({ fingerprint, name, activatedAt }) => {
      const machineId = this.machineIds.machineIdFor(_id, fingerprint);
      return [machineId, { machineId, fingerprint, name, activatedAt }] as const;
    });
    return [...new Map(each).values()];
  }
}

/**
 * The changes for the client and the project. A new project changes the version of its client, so two rows
 * cannot both create it.
 */
function withParents(
  found: Client | null,
  client: Client,
  existing: Project | null | undefined,
  project: Project,
): Change[] {
  if (existing) {
    const { _id, owner, product } = existing;
    return [increment(PROJECTS, _id, { licensesCount: 1 }, { where: { owner, product } })];
  }
  const after = { ...client, projectsCount: client.projectsCount + 1 };
  const parent = found ? replace(CLIENTS, found, after) : insert(CLIENTS, after);
  return [parent, insert(PROJECTS, project)];
}
