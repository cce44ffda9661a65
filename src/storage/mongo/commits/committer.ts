import { lockedIfUnavailable, storeUnavailable } from '../../store-unavailable.js';
import type { Committed } from '../../writable-store.js';
import { type Priority, priorityOfRequest, type Statements } from '../connection/statements.js';
import { CommitQueue, type Queued } from './commit-queue.js';
import type { Lane, Work } from './lane.js';
import { isOfRecord, type Operation, type RecordOperation, type Use } from './operation.js';
import type { Attempt } from './transaction.js';

/** Failed transactions after which a commit shares no other one. */
const MAX_FAILURES = 3;

class WaitingCommit implements Queued, Work {
  readonly uses: readonly Use[];
  private readonly ofRecords: readonly RecordOperation[];
  isAlone: boolean;
  failures = 0;
  isInConflict = false;
  resolve!: (committed: Committed) => void;
  reject!: (error: unknown) => void;
  readonly committed = new Promise<Committed>((resolve, reject) => {
    Object.assign(this, { resolve, reject });
  });

  constructor(
    readonly operations: readonly Operation[],
    readonly endsAt: number,
  ) {
    this.ofRecords = operations.filter(isOfRecord);
    this.uses = this.ofRecords.flatMap(({ uses }) => uses);
    // A filter takes long, and it is not known which records it selects.
    this.isAlone = this.ofRecords.length < operations.length;
  }

  changes(record: string): boolean {
    return this.ofRecords.some((operation) => operation.record === record);
  }

  isOver(): boolean {
    const isOver = this.endsAt <= performance.now();
    if (isOver) this.reject(storeUnavailable('deadline'));
    return isOver;
  }
}

/** Makes commits in transactions. Those that wait at the same time share one. */
export class Committer {
  private readonly queues: Readonly<Record<Priority, CommitQueue<WaitingCommit>>>;
  /** The lane that has been idle for longest is the first, so that the priorities take turns over the same records. */
  private readonly idle: Set<Lane>;
  /** A commit in a transaction by the records that it uses. */
  private readonly locked = new Map<string, WaitingCommit>();
  private isScheduled = false;

  constructor(
    private readonly statements: Statements,
    lanes: readonly Lane[],
  ) {
    const queue = () => new CommitQueue(this.locked);
    this.queues = { 'license check': queue(), other: queue() };
    this.idle = new Set(lanes);
  }

  /** How many commits wait. */
  get waiting(): number {
    return Object.values(this.queues).reduce((sum, { size }) => sum + size, 0);
  }

  /** @throws DomainError OVERLOADED where another instance has a record until the deadline; STORE_UNAVAILABLE */
  async commit(operations: readonly Operation[]): Promise<Committed> {
    const endsAt = this.statements.endOfWork();
    const commit = new WaitingCommit(operations, endsAt);
    const queue = this.queues[priorityOfRequest()];
    const work = () => {
      queue.add(commit);
      this.schedule();
      return commit.committed;
    };
    try {
      return await this.statements.untilDeadline(work, 'transaction', endsAt);
    } catch (error) {
      queue.remove(commit);
      throw this.isHeldUp(commit) ? lockedIfUnavailable(error) : error;
    }
  }

  /** Whether another instance has a record of a commit, or of one that this one waits for. */
  private isHeldUp(commit: WaitingCommit): boolean {
    return (
      commit.isInConflict || commit.uses.some(({ name }) => this.locked.get(name)?.isInConflict)
    );
  }

  /** In the next tick: the commits of one tick share a transaction. */
  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      for (const lane of [...this.idle]) {
        const batch = this.queues[lane.priority].take();
        if (batch.length > 0) void this.run(lane, batch);
      }
    });
  }

  private async run(lane: Lane, batch: readonly WaitingCommit[]): Promise<void> {
    const queue = this.queues[lane.priority];
    this.idle.delete(lane);
    const again = await lane.run(batch).then(
      (attempt) => settle(batch, attempt),
      (error: unknown) => settleError(batch, error),
    );
    queue.release(batch);
    queue.putBack(again);
    this.idle.add(lane);
    this.schedule();
  }
}

/** @returns the commits that are to be tried again */
function settle(
  batch: readonly WaitingCommit[],
  { failed, affected }: Attempt,
): readonly WaitingCommit[] {
  const [first] = failed;
  if (first && batch.length > 1) {
    for (const commit of batch) {
      commit.failures += 1;
      const isSuspect = failed.some(({ record }) => commit.changes(record));
      commit.isAlone ||= isSuspect || commit.failures >= MAX_FAILURES;
    }
    return batch;
  }
  const committed: Committed = first ? { ok: false, failed: first.change } : { ok: true, affected };
  for (const commit of batch) commit.resolve(committed);
  return [];
}

/** @returns the commits that are to be tried again: one of them alone may be the cause of the error */
function settleError(batch: readonly WaitingCommit[], error: unknown): readonly WaitingCommit[] {
  if (batch.length > 1) {
    for (const commit of batch) commit.isAlone = true;
    return batch.filter((commit) => !commit.isOver());
  }
  batch[0]!.reject(error);
  return [];
}
