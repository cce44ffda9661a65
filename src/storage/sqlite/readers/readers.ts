import { setTimeout } from 'node:timers/promises';
import { endOfWork } from '../../../shared/request-context.js';
import { beforeDeadline, timeUntil } from '../../deadline.js';
import { ReadTurns } from '../../read-turns.js';
import { storeUnavailable } from '../../store-unavailable.js';
import type { Row } from '../codec.js';
import type { Sql } from '../conditions.js';
import type { SqliteMetrics } from '../sqlite-metrics.js';
import { Reader } from './reader.js';

/** Workers at most, each of some 8 MB. They are started when they are needed. */
const MAX_READERS = 2;

/** More than a short read takes, and the start of a worker. */
const PATIENCE = 200;

/** Reads the store beside the main thread, which goes on serving meanwhile. */
export class Readers {
  private readonly turns = new ReadTurns(MAX_READERS);
  /** The workers that run. */
  readonly workers = new Set<Reader>();
  private isClosed = false;

  /**
   * @param file of the store
   * @param patience milliseconds for which a read waits for a worker before a second one is started
   */
  constructor(
    private readonly file: string,
    private readonly metrics: SqliteMetrics,
    private readonly patience = PATIENCE,
  ) {
    metrics.waitingReads(() => this.turns.size);
  }

  /**
   * Runs a statement in its account's turn. It sees the last commit.
   *
   * @returns the rows, each an array
   * @throws DomainError STORE_UNAVAILABLE at the deadline, or where a worker dies
   */
  async read(account: string, statement: Sql): Promise<readonly Row[]> {
    const begin = performance.now();
    const endsAt = endOfWork();
    try {
      const work = this.turns.run(account, () => this.readNow(statement, endsAt));
      return await beforeDeadline(endsAt, work);
    } finally {
      this.metrics.read(begin);
    }
  }

  /** Ends the workers after their current statements. */
  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all([...this.workers].map((reader) => reader.close()));
  }

  private get free(): Reader | undefined {
    return [...this.workers].find(({ isReading }) => !isReading);
  }

  private async readNow({ sql, parameters }: Sql, endsAt: number): Promise<readonly Row[]> {
    const patientUntil = performance.now() + this.patience;
    while (this.workers.size > 0 && !this.free && performance.now() < patientUntil) {
      await setTimeout(1);
    }
    if (this.isClosed) throw new Error('The store is closed');
    const milliseconds = timeUntil(endsAt);
    const reader = this.free ?? this.start();
    try {
      return await reader.read({ sql, parameters, milliseconds });
    } catch (error) {
      throw performance.now() < endsAt ? error : storeUnavailable('deadline');
    }
  }

  private start(): Reader {
    const reader: Reader = new Reader(this.file, () => this.workers.delete(reader));
    this.workers.add(reader);
    return reader;
  }
}
