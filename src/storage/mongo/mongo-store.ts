import { setTimeout } from 'node:timers/promises';
import type { ClientSession, Connection, Model, mongo } from 'mongoose';
import { requestContext } from '../../shared/request-context.js';
import type { Deadline } from '../../shared/time/deadline.js';
import { storeUnavailable } from '../store-unavailable.js';
import { ConnectionSlots, type Priority } from './connection-slots.js';
import { KeyedMutex } from './keyed-mutex.js';
import { isOutage } from './outage.js';
import { runTransaction } from './run-transaction.js';
import { runUntil } from './statement-deadline.js';
import { requireKnownMigrations, migrate } from './migrate.js';

/** Longest that ending a failed transaction on the server is tried, in milliseconds: then the server ends it itself. */
const KILL_FOR = 60_000;
/** Timeout of one attempt, and pause before the next, in milliseconds. */
const KILL_TIMEOUT = 1_000;
const KILL_PAUSE = 50;

/**
 * The connected database: every statement of this engine goes through it, and ends by the deadline of its
 * request; outside of requests, of its own.
 */
export class MongoStore {
  private readonly slots = new ConnectionSlots();
  private readonly mutex = new KeyedMutex();

  private constructor(
    private readonly connection: Connection,
    private readonly deadline: Deadline,
  ) {}

  /**
   * Makes the collections and indexes that are missing, and upgrades the records, before the first statement.
   *
   * @throws StartupError where the database is newer than this program
   */
  static async prepare(
    connection: Connection,
    models: Model<unknown>[],
    deadline: Deadline,
  ): Promise<MongoStore> {
    await requireKnownMigrations(connection);
    await Promise.all(
      models.map(async (model) => {
        await model.createCollection();
        await model.createIndexes();
      }),
    );
    await migrate(connection);
    return new MongoStore(connection, deadline);
  }

  /**
   * Runs one statement.
   *
   * @throws DomainError STORE_UNAVAILABLE where the database is not there, or too slow; OVERLOADED
   */
  run<T>(statement: () => PromiseLike<T>, priority: Priority = 'other'): Promise<T> {
    return this.untilDeadline((signal) =>
      this.slots.run(priority, signal, async () => statement()),
    );
  }

  /**
   * Runs statements in one transaction, and again where another instance's was in conflict with it
   * or its outcome is unknown. None begins to commit after the deadline.
   *
   * @param key names what such transactions are in conflict over; in this process one runs after the other,
   *   as many that conflict at once would each begin anew until their deadline
   * @param work passes its transaction, as their session, to each of its statements, one after the other
   * @throws DomainError STORE_UNAVAILABLE where the database is not there, or too slow; OVERLOADED;
   *   TOO_MANY_CONCURRENT_REQUESTS
   */
  transaction<T>(
    key: string,
    work: (tx: ClientSession) => Promise<T>,
    priority: Priority = 'other',
  ): Promise<T> {
    return this.untilDeadline((signal) =>
      this.mutex.runExclusive(key, signal, () =>
        this.slots.run(priority, signal, () => this.commit(signal, work)),
      ),
    );
  }

  /** Resolves when the primary answers. */
  async ping(): Promise<void> {
    await this.untilDeadline((signal) => this.command({ ping: 1 }, signal));
  }

  private async untilDeadline<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const endsAt =
      requestContext.getStore()?.endsAt ?? performance.now() + this.deadline.milliseconds;
    try {
      return await runUntil(endsAt, work);
    } catch (error) {
      throw isOutage(error) ? storeUnavailable(error) : error;
    }
  }

  private async commit<T>(
    signal: AbortSignal,
    work: (tx: ClientSession) => Promise<T>,
  ): Promise<T> {
    const tx = await this.connection.startSession();
    try {
      return await Promise.race([runTransaction(tx, signal, work), rejectionOf(signal)]);
    } catch (error) {
      await this.kill(tx);
      throw error;
    } finally {
      // It may have to wait for a server that hangs: nobody else has to.
      void tx.endSession().catch(() => undefined);
    }
  }

  /** Ends a transaction on the server, which would keep the locks of what the driver fails to abort for a minute. */
  private async kill({ id }: ClientSession): Promise<void> {
    const end = performance.now() + KILL_FOR;
    while (performance.now() < end) {
      const timeout = AbortSignal.timeout(KILL_TIMEOUT);
      try {
        await this.command({ killSessions: [id] }, timeout);
        return;
      } catch (error) {
        // What waits in the socket of a server that hangs begins when it goes on, so it is ended then.
        if (!isOutage(error) && !timeout.aborted) return;
      }
      await setTimeout(KILL_PAUSE, undefined, { ref: false });
    }
  }

  private command(command: mongo.Document, signal: AbortSignal): Promise<mongo.Document> {
    return this.connection.getClient().db('admin').command(command, { signal });
  }
}

/** Rejects when a signal aborts, with its reason. */
const rejectionOf = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
