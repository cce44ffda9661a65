import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import {
  withDeadline,
  currentDeadline,
  storeUnavailable,
  remainingTime,
} from '../../shared/request-context.js';
import type { StoreMetrics } from '../store-metrics.js';
import { AccountTurns } from '../turns.js';
import type { Row } from './codec.js';
import type { Sql } from './select.js';

/** Maximum number of workers, about 8 MB each, started on demand. */
const MAX_WORKERS = 2;

/** A statement and its time limit. */
export interface ReadRequest extends Sql {
  readonly milliseconds: number;
}

type Reply =
  | { readonly rows: readonly Row[] }
  | { readonly error: unknown; readonly isLate: boolean };

/**
 * Reads the store in worker threads, each with its own connection and one statement at a time, so the main thread stays
 * responsive. Workers keep the process alive until they are closed.
 */
export class Readers {
  private readonly turns = new AccountTurns(MAX_WORKERS);
  /** The running workers, each with a promise for its exit. */
  private readonly workers = new Map<Worker, Promise<void>>();
  private readonly idle = new Set<Worker>();
  private isClosed = false;

  /** @param file the file of the store */
  constructor(
    private readonly file: string,
    private readonly metrics: StoreMetrics,
  ) {
    metrics.gaugeWaiting('reads', () => this.turns.waiting);
  }

  /**
   * Runs a statement in the account's turn. It sees the last commit.
   *
   * @returns the rows, each an array
   * @throws DomainError STORE_UNAVAILABLE at the deadline, or if a worker dies
   */
  async read(account: string, statement: Sql): Promise<readonly Row[]> {
    const begin = performance.now();
    const endsAt = currentDeadline();
    try {
      const work = this.turns.run(account, () => this.readNow(statement, endsAt));
      return await withDeadline(endsAt, work);
    } finally {
      this.metrics.observeDuration('read', begin);
    }
  }

  /** Ends the workers after their current statements. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const worker of this.workers.keys()) worker.postMessage(undefined);
    await Promise.all(this.workers.values());
  }

  private async readNow(statement: Sql, endsAt: number): Promise<readonly Row[]> {
    if (this.isClosed) throw new Error('The store is closed');
    const request: ReadRequest = { ...statement, milliseconds: remainingTime(endsAt) };
    const [worker = this.start()] = this.idle;
    this.idle.delete(worker);
    worker.postMessage(request);
    const [reply] = (await once(worker, 'message').catch((error: unknown) => {
      throw storeUnavailable(error);
    })) as [Reply];
    this.idle.add(worker);
    // Node delivers messages as long as there are any. This lets other work run before the next read.
    await setImmediate();
    if ('rows' in reply) return reply.rows;
    throw reply.isLate ? storeUnavailable('deadline') : reply.error;
  }

  private start(): Worker {
    const worker = new Worker(new URL('./reader.worker.mjs', import.meta.url), {
      workerData: this.file,
    });
    const ended = () => {
      this.workers.delete(worker);
      this.idle.delete(worker);
    };
    this.workers.set(worker, once(worker, 'exit').then(ended, ended));
    return worker;
  }
}
