import { Worker } from 'node:worker_threads';
import { storeUnavailable } from '../../store-unavailable.js';
import type { Row } from '../codec.js';
import type { Sql } from '../conditions.js';

/** A statement, and the time that it has. */
export interface ReadRequest extends Sql {
  readonly milliseconds: number;
}

type Reply = { readonly rows: readonly Row[] } | { readonly error: unknown };

interface Pending {
  readonly resolve: (rows: readonly Row[]) => void;
  readonly reject: (error: unknown) => void;
}

/** A worker thread that reads the store on its own connection, one statement at a time. */
export class Reader {
  private readonly worker: Worker;
  private pending: Pending | undefined;
  private isClosing = false;

  /**
   * @param file of the store
   * @param ended called once it has died or was closed
   */
  constructor(
    file: string,
    private readonly ended: () => void,
  ) {
    this.worker = new Worker(new URL('./reader.worker.mjs', import.meta.url), { workerData: file });
    this.worker.on('message', (reply: Reply) => {
      if ('rows' in reply) this.pending?.resolve(reply.rows);
      else this.pending?.reject(reply.error);
    });
    this.worker.on('error', (error) => this.end(error));
    this.worker.on('exit', () => this.end(new Error('A reader has ended')));
  }

  get isReading(): boolean {
    return this.pending !== undefined;
  }

  /**
   * @throws Error of the statement, at the latest when its time is over
   * @throws DomainError STORE_UNAVAILABLE where the worker dies
   */
  async read(request: ReadRequest): Promise<readonly Row[]> {
    // Only while it reads does it keep the process alive.
    this.worker.ref();
    try {
      return await new Promise((resolve, reject) => {
        this.pending = { resolve, reject };
        this.worker.postMessage(request);
      });
    } finally {
      this.pending = undefined;
      if (!this.isClosing) this.worker.unref();
    }
  }

  /** Ends the worker after its current statement. */
  async close(): Promise<void> {
    this.isClosing = true;
    this.worker.ref();
    await new Promise((resolve) => {
      this.worker.once('exit', resolve);
      this.worker.postMessage(undefined);
    });
  }

  private end(reason: unknown): void {
    this.ended();
    this.pending?.reject(storeUnavailable(reason));
  }
}
