import { setTimeout } from 'node:timers/promises';
import type { Connection, mongo } from 'mongoose';
import { databaseOf } from '../documents/documents.js';

/** Pause between attempts to write to a new primary, and timeout of one, in milliseconds. */
const PAUSE = 50;
const TIMEOUT = 2_000;

/**
 * Keeps reads from a new primary until they find every acknowledged write: it has them all, but for a moment it may not
 * know that a majority has the latest.
 */
export class PrimaryTerms {
  private primary: string | undefined;
  /** Counts the changes of the primary. */
  private term = 0;
  private settled: Promise<void> = Promise.resolve();

  constructor(private readonly connection: Connection) {
    connection
      .getClient()
      .on('topologyDescriptionChanged', ({ newDescription }) => {
        const servers = [...newDescription.servers.values()];
        const primary = servers.find(({ type }) => type === 'RSPrimary');
        if (primary) this.note(`${primary.address} ${String(primary.electionId)}`);
      })
      .on('topologyClosed', () => (this.term += 1));
  }

  /** Repeats a read during which the primary has changed. */
  async read<T>(read: () => Promise<T>): Promise<T> {
    for (;;) {
      const { term } = this;
      await this.settled;
      const result = await read();
      if (term === this.term) return result;
    }
  }

  private note(primary: string): void {
    if (primary === this.primary) return;
    this.primary = primary;
    this.term += 1;
    this.settled = this.settle(this.term);
  }

  /** Resolves when a majority has what the primary had, or there is another one. */
  private async settle(term: number): Promise<void> {
    const nothing: mongo.Filter<mongo.Document> = { _id: { $in: [] } };
    while (term === this.term) {
      const options = { maxTimeMS: TIMEOUT, signal: AbortSignal.timeout(TIMEOUT) };
      try {
        // It changes nothing, and waits for what was written before.
        await databaseOf(this.connection)
          .collection('instances')
          .updateOne(nothing, { $set: { until: null } }, options);
        return;
      } catch {
        await setTimeout(PAUSE, undefined, { ref: false });
      }
    }
  }
}
