import { Injectable } from '@nestjs/common';
import { type Client, CLIENTS, clientEmailTaken } from '../clients/client.js';
import { recordOf } from '../events/event.js';
import { type License, LICENSES } from '../licenses/license.js';
import { EmailConflictLimiter } from '../limits/conflict-limiters.js';
import { Seats } from '../machines/seats.service.js';
import { ProjectTasks } from '../projects/project-tasks.job.js';
import { type Project, projectEvent, PROJECTS } from '../projects/project.js';
import { DomainError } from '../shared/errors/domain-error.js';
import type { IdempotencyRecord } from '../shared/idempotency/idempotency-record.js';
import type { AccountId } from '../shared/ids.js';
import { type Page, type PageRequest, readPage } from '../shared/pagination/page.js';
import { AccountQuotas, type CountedRecords } from '../shared/quotas/account-totals.js';
import { requireTimeForStep } from '../shared/request-context.js';
import { Clock } from '../shared/time/clock.js';
import { type Change, increment, insert, remove } from '../storage/changes.js';
import { Decisions } from '../storage/decisions.js';
import { omitUndefined } from '../storage/filter.js';
import { findOwned, Store } from '../storage/store.js';
import { Bin } from './bin.service.js';
import { type Binned, BINNED, type BinnedKind, binStart, recordIn } from './binned.js';
import type { BinListQuery } from './dto/bin.query.js';
import { conflictOf, restoredLicense } from './license-conflict.js';
import { licenseEvent } from '../licenses/license-events.js';

/** Projects restored per commit, each with an event and up to 20 deliveries. */
const RESTORED = 20;

const BY_ID = { by: '_id', direction: 'asc' } as const;
const LATEST_FIRST = { by: 'deletedAt', direction: 'desc' } as const;

/** Lists, restores and erases an account's deleted records. */
@Injectable()
export class Restores {
  constructor(
    private readonly store: Store,
    private readonly decisions: Decisions,
    private readonly bin: Bin,
    private readonly quotas: AccountQuotas,
    private readonly conflicts: EmailConflictLimiter,
    private readonly seats: Seats,
    private readonly tasks: ProjectTasks,
    private readonly clock: Clock,
  ) {}

  list(
    accountId: AccountId,
    { kind, search }: Pick<BinListQuery, 'kind' | 'search'>,
    page: PageRequest,
  ): Promise<Page<Binned>> {
    const filter = {
      ...{ accountId, isListed: true, deletedAt: { from: binStart(this.clock.now()) } },
      ...omitUndefined({ kind }),
      ...(search !== undefined && { searchName: { contains: search } }),
    };
    return readPage(this.store, BINNED, filter, LATEST_FIRST, page);
  }

  /** Restores a record. A client's projects are restored in several commits, and repeating the request continues. */
  async restore(
    _id: string,
    accountId: AccountId,
    idempotency?: IdempotencyRecord,
  ): Promise<BinnedKind> {
    const decide = async (failed?: Change) => {
      const entry = await this.find(_id, accountId);
      if (entry)
        return { result: { kind: entry.kind }, changes: await this.changesOf(entry, failed) };
      const [isBegun] = await this.projectsOf(_id, accountId);
      if (!isBegun) throw new DomainError('BIN_ENTRY_NOT_FOUND');
      return { result: { kind: 'client' as const }, changes: [] };
    };
    const { kind } = await this.decisions.run<{ kind: BinnedKind }>(decide, {
      ...{ idempotency, key: _id },
    });
    if (kind === 'client') await this.restoreProjectsOf(_id, accountId);
    this.tasks.wake();
    return kind;
  }

  /** Erases a client after the projects that were deleted with it, so that an interrupted erasure can be repeated. */
  async erase(_id: string, accountId: AccountId): Promise<void> {
    const decide = async () => {
      const entry = await this.find(_id, accountId);
      if (!entry) throw new DomainError('BIN_ENTRY_NOT_FOUND');
      await this.bin.requireFewTasks(accountId);
      const projects = entry.kind === 'client' ? await this.projectsOf(_id, accountId) : [];
      const isDone = projects.length < RESTORED;
      const entries = isDone ? [...projects, entry] : projects;
      const changes = await this.bin.removalOf(accountId, ...entries);
      return { result: { isDone }, changes };
    };
    while (!(await this.decisions.run(decide, { key: _id })).isDone) {
      this.tasks.wake();
      requireTimeForStep();
    }
    this.tasks.wake();
  }

  /** The record, if it can be restored by itself and has not been in the bin for too long. */
  private async find(_id: string, accountId: AccountId): Promise<Binned | null> {
    const entry = await findOwned(this.store, BINNED, _id, accountId);
    return entry?.isListed && entry.deletedAt >= binStart(this.clock.now()) ? entry : null;
  }

  private async restoreProjectsOf(client: string, accountId: AccountId): Promise<void> {
    const decide = async (failed?: Change) => {
      const entries = await this.projectsOf(client, accountId);
      const changes = entries.length > 0 ? await this.projectChanges(entries, failed) : [];
      return { result: { isDone: entries.length < RESTORED }, changes };
    };
    // As deletions, an account's commits run one after the other.
    while (!(await this.decisions.run(decide, { key: `projects of ${accountId}` })).isDone) {
      this.tasks.wake();
      requireTimeForStep();
    }
  }

  private projectsOf(deletedWith: string, accountId: AccountId): Promise<Binned[]> {
    const filter = { accountId, deletedWith, deletedAt: { from: binStart(this.clock.now()) } };
    return this.store.list(BINNED, filter, BY_ID, { limit: RESTORED });
  }

  private changesOf(entry: Binned, failed?: Change): Promise<Change[]> {
    switch (entry.kind) {
      case 'client':
        return this.clientChanges(entry, failed);
      case 'project':
        return this.projectChanges([entry], failed);
      case 'license':
        return this.licenseChanges(entry, failed);
    }
  }

  private async clientChanges(entry: Binned, failed?: Change): Promise<Change[]> {
    const client = recordIn<Client>(entry);
    const { email, owner } = client;
    // Only a failed commit reveals that the address is taken, so each conflict is counted.
    const isFree = !failed || !(await this.store.find(CLIENTS, { email }));
    await this.conflicts.require(owner, isFree, clientEmailTaken());
    return [
      remove(BINNED, entry),
      insert(CLIENTS, client),
      await this.counted(entry.accountId, { clientsCount: 1, binnedCount: -1 }, failed),
      recordOf('client')('restored', client, this.clock.now()),
    ];
  }

  /** @param entries projects of one client */
  private async projectChanges(entries: readonly Binned[], failed?: Change): Promise<Change[]> {
    const [{ accountId, parent }] = entries as readonly [Binned];
    await this.requireParent(CLIENTS, parent!, accountId);
    await this.bin.requireFewTasks(accountId);
    const projects = entries.map((entry) => recordIn<Project>(entry));
    const licensesCount = projects.reduce((sum, one) => sum + one.licensesCount, 0);
    const projectsCount = projects.length;
    const binnedCount = -licensesCount - projectsCount;
    const now = this.clock.now();
    return [
      ...entries.map((entry) => remove(BINNED, entry)),
      ...projects.map((project) => insert(PROJECTS, project)),
      increment(CLIENTS, parent!, { projectsCount }, { where: { owner: accountId } }),
      await this.counted(accountId, { projectsCount, licensesCount, binnedCount }, failed),
      ...projects.map((project) => projectEvent('restored', project, now)),
      ...(await Promise.all(entries.map((entry) => this.bin.followOf(entry)))).flat(),
    ];
  }

  private async licenseChanges(entry: Binned, failed?: Change): Promise<Change[]> {
    const { accountId, parent } = entry;
    const project = await this.requireParent(PROJECTS, parent!, accountId);
    const now = this.clock.now();
    const license = restoredLicense(recordIn<License>(entry), project, now);
    const conflict = await conflictOf(this.store, license);
    if (conflict?.field === 'externalId') {
      throw new DomainError('LICENSE_EXISTS', { licenseId: conflict.holder._id });
    }
    if (conflict) {
      const field = conflict.field === 'importedAs' ? 'ref' : 'key';
      throw new DomainError('KEY_TAKEN', { field });
    }
    const { product } = project;
    const moved = { licensesCount: 1, binnedCount: -1, binnedMachines: -license.seats };
    return [
      remove(BINNED, entry),
      insert(LICENSES, await this.seats.withSeatsLeft(license)),
      increment(PROJECTS, project._id, { licensesCount: 1 }, { where: { product } }),
      await this.counted(accountId, moved, failed),
      licenseEvent('restored', license, now),
    ];
  }

  private async requireParent<R extends Client | Project>(
    collection: Parameters<typeof findOwned<R>>[1],
    parent: string,
    accountId: AccountId,
  ): Promise<R> {
    const found = await findOwned(this.store, collection, parent, accountId);
    if (!found) throw new DomainError('PARENT_DELETED', { parent });
    return found;
  }

  /** @throws DomainError of the quota that the previous attempt reached */
  private async counted(
    accountId: AccountId,
    moved: Partial<CountedRecords>,
    failed?: Change,
  ): Promise<Change> {
    await this.quotas.requireCounted(failed, accountId, moved);
    return this.quotas.add(accountId, moved);
  }
}
