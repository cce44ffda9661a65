import type { Use } from './operation.js';

/** A commit that waits to be sent. */
export interface Queued {
  readonly uses: readonly Use[];
  /** Whether it shares no transaction. */
  readonly isAlone: boolean;
}

/** Most commits of one transaction. */
const MAX_BATCH = 64;

/**
 * Commits that wait, in order of arrival. A record is used by one batch at a time, and within a batch by one commit or by several
 * that share it.
 */
export class CommitQueue<T extends Queued> {
  private waiting: T[] = [];

  /**
   * @param locked a commit of the batch that uses a record, by the record's name: common to queues that must not use a record at the
   *   same time
   */
  constructor(private readonly locked: Map<string, T>) {}

  get size(): number {
    return this.waiting.length;
  }

  add(commit: T): void {
    this.waiting.push(commit);
  }

  /** Puts back commits that are to be tried again, before all others. */
  putBack(commits: readonly T[]): void {
    this.waiting.unshift(...commits);
  }

  /** Removes a commit that waits no longer. */
  remove(commit: T): void {
    this.waiting = this.waiting.filter((waiting) => waiting !== commit);
  }

  /** Takes the commits of the next transaction and locks their records; none where all records are locked. */
  take(): T[] {
    const batch: T[] = [];
    const shares = new Map<string, string | undefined>();
    // A commit that cannot be taken yet is not overtaken by others that use its records.
    const awaited = new Set<string>();
    const isFree = ({ name, share }: Use) =>
      !this.locked.has(name) &&
      !awaited.has(name) &&
      (!shares.has(name) || (share !== undefined && shares.get(name) === share));
    const fits = (commit: T) =>
      batch.length === 0 || (batch.length < MAX_BATCH && !commit.isAlone && !batch[0]!.isAlone);
    this.waiting = this.waiting.filter((commit) => {
      if (fits(commit) && commit.uses.every(isFree)) {
        batch.push(commit);
        for (const { name, share } of commit.uses) shares.set(name, share);
        return false;
      }
      for (const { name } of commit.uses) awaited.add(name);
      return true;
    });
    for (const commit of batch) {
      for (const { name } of commit.uses) this.locked.set(name, commit);
    }
    return batch;
  }

  /** Unlocks the records of a batch that has ended. */
  release(batch: readonly T[]): void {
    for (const { name } of batch.flatMap(({ uses }) => uses)) this.locked.delete(name);
  }
}
