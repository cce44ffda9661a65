import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { storeUnavailable } from '../../store-unavailable.js';
import type { Row } from '../codec.js';
import type { Sql } from '../conditions.js';

/** A statement, and the time that it has. */
export interface ReadRequest extends Sql {
  readonly milliseconds: number;
}

type Reply = { readonly rows: readonly Row[] } | { readonly error: unknown };

/** A worker thread that reads the store on its own connection, one statement at a time. It keeps the process alive until it is closed. */
export class Reader {
  isReading = false;
  private readonly worker: Worker;
  private readonly exited: Promise<unknown>;

  /**
   * @param file of the store
   * @param ended called once it has died or was closed
   */
  constructor(file: string, ended: () => void) {
    this.worker = new Worker(new URL('./reader.worker.mjs', import.meta.url), { workerData: file });
    this.exited = once(this.worker, 'exit').then(ended, ended);
  }

  /**
   * @throws Error of the statement, at the latest when its time is over
   * @throws DomainError STORE_UNAVAILABLE where the worker dies
   */
  async read(request: ReadRequest): Promise<readonly Row[]> {
    this.isReading = true;
    this.worker.postMessage(request);
    const [reply] = (await once(this.worker, 'message').catch((error: unknown) => {
      throw storeUnavailable(error);
    })) as [Reply];
    this.isReading = false;
    if ('error' in reply) throw reply.error;
    return reply.rows;
  }

  /** Ends the worker after its current statement. */
  async close(): Promise<void> {
    this.worker.postMessage(undefined);
    await this.exited;
  }
}
