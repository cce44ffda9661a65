import { Injectable } from '@nestjs/common';
import { MAX_TASKS, newProjectTask, PROJECT_TASKS } from '../projects/project-task.js';
import { DomainError } from '../shared/errors/domain-error.js';
import type { AccountId } from '../shared/ids.js';
import { type CountedRecords, AccountQuotas, TOTALS } from '../shared/quotas/account-totals.js';
import { Clock } from '../shared/time/clock.js';
import { type Change, insert, remove, replace } from '../storage/changes.js';
import { Store } from '../storage/store.js';
import { type Binned, BINNED, EARLIEST_FIRST, MAX_BINNED, sizeOf } from './binned.js';

/** Maximum number of entries that a deletion erases to make room for its own. */
const MAX_EVICTED = 10;

/** Moves deleted records into the account's bin, limits its size, and erases records. */
@Injectable()
export class Bin {
  constructor(
    private readonly store: Store,
    private readonly quotas: AccountQuotas,
    private readonly clock: Clock,
  ) {}

  /**
   * The changes that add records to the bin and uncount them. A full bin never blocks a deletion: the oldest entries are erased.
   *
   * @param deleted the records, without the licenses of projects
   */
  async add(
    accountId: AccountId,
    entries: readonly Binned[],
    deleted: Partial<CountedRecords>,
  ): Promise<Change[]> {
    const evicted = await this.entriesToEvict(accountId, sumOf(entries));
    const erased = await Promise.all(evicted.map((entry) => this.erasureOf(entry)));
    const binnedCount = sumOf(evicted) - sumOf(entries);
    return [
      ...entries.map((entry) => insert(BINNED, entry)),
      ...erased.flat(),
      this.quotas.subtract(accountId, { ...deleted, binnedCount }),
    ];
  }

  /** The changes that erase entries of an account and uncount them. */
  async removalOf(accountId: AccountId, ...entries: readonly Binned[]): Promise<Change[]> {
    const uncounted = this.quotas.subtract(accountId, { binnedCount: sumOf(entries) });
    const erased = await Promise.all(entries.map((entry) => this.erasureOf(entry)));
    return [...erased.flat(), uncounted];
  }

  /** The changes that erase an entry but do not uncount it. Its licenses and their machines follow in steps. */
  private async erasureOf(entry: Binned): Promise<Change[]> {
    const { _id, kind } = entry;
    switch (kind) {
      case 'client':
        return [remove(BINNED, entry)];
      case 'project':
        return [remove(BINNED, entry), ...(await this.followOf(entry))];
      case 'license':
        // Treated as if it belonged to a separate project that is gone.
        return [
          replace(BINNED, entry, { ...entry, parent: _id, isListed: false }),
          ...(await this.followOf(entry)),
        ];
    }
  }

  /**
   * The changes that move the licenses of a project along with it. The current step of a pending task
   * fails.
   *
   * @param revokes whether licenses that go to the bin are reported as revoked; by default, as the pending
   *   task does
   */
  async followOf(
    { _id, accountId: owner }: Pick<Binned, '_id' | 'accountId'>,
    revokes?: boolean,
  ): Promise<Change[]> {
    const pending = await this.store.find(PROJECT_TASKS, { project: _id, work: 'follow' });
    const task = newProjectTask({ _id, owner, product: null }, 'follow', this.clock.now());
    return [
      ...(pending ? [remove(PROJECT_TASKS, pending)] : []),
      insert(PROJECT_TASKS, { ...task, revokes: revokes ?? pending?.revokes ?? false }),
    ];
  }

  async requireFewTasks(accountId: AccountId): Promise<void> {
    const count = await this.store.count(PROJECT_TASKS, { accountId }, MAX_TASKS);
    if (count === MAX_TASKS) throw new DomainError('TOO_MANY_BULK_CHANGES');
  }

  private async entriesToEvict(accountId: AccountId, added: number): Promise<Binned[]> {
    const totals = await this.store.find(TOTALS, { _id: accountId });
    let surplus = (totals ? totals.binnedCount + totals.binnedMachines : 0) + added - MAX_BINNED;
    if (surplus <= 0) return [];
    const filter = { accountId, isListed: true };
    const oldest = await this.store.list(BINNED, filter, EARLIEST_FIRST, { limit: MAX_EVICTED });
    return oldest.filter((entry) => {
      const isSurplus = surplus > 0;
      surplus -= sizeOf(entry);
      return isSurplus;
    });
  }
}

const sumOf = (entries: readonly Binned[]): number =>
  entries.reduce((sum, entry) => sum + sizeOf(entry), 0);
