import type { DatabaseSyncInstance } from '@photostructure/sqlite';

interface Write {
  readonly run: () => unknown;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Lets writes that wait together share one durable commit, so that one flush of the disk serves many
 * requests. A batch runs from BEGIN to COMMIT without yielding: nothing is answered, cached or read
 * by others before it is on disk. Each write has a savepoint, so that one that fails takes no other
 * with it.
 */
export class WriteQueue {
  private waiting: Write[] = [];

  constructor(private readonly database: DatabaseSyncInstance) {}

  /**
   * Runs a write in the next batch.
   *
   * @param run reads and writes synchronously; a throw undoes what it wrote, and nothing else
   * @returns its result, once it is durable
   */
  write<T>(run: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.waiting.length === 0) setImmediate(() => this.runBatch());
      this.waiting.push({ run, resolve: resolve as (result: unknown) => void, reject });
    });
  }

  private runBatch(): void {
    const batch = this.waiting;
    this.waiting = [];
    try {
      this.database.exec('BEGIN IMMEDIATE');
      const settle = batch.map((write) => this.runOne(write));
      this.database.exec('COMMIT');
      settle.forEach((answer) => answer());
    } catch (error) {
      // The whole batch is rolled back, whichever write failed.
      batch.forEach(({ reject }) => reject(error));
      if (this.database.isOpen && this.database.isTransaction) this.database.exec('ROLLBACK');
    }
  }

  /** Runs one write in its savepoint; returns the callback that settles its promise after the commit. */
  private runOne({ run, resolve, reject }: Write): () => void {
    this.database.exec('SAVEPOINT one');
    try {
      const result = run();
      this.database.exec('RELEASE one');
      return () => resolve(result);
    } catch (error) {
      // Some errors, a full disk among them, roll back the whole transaction and end it.
      if (!this.database.isTransaction) throw error;
      this.database.exec('ROLLBACK TO one; RELEASE one');
      return () => reject(error);
    }
  }
}
