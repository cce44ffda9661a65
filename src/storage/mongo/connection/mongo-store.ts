import type { ClientSession, Connection, mongo } from 'mongoose';
import type { StoreHealth } from '../../../health/store-health.js';
import { StartupError } from '../../../shared/errors/startup-error.js';
import type { Histogram, Metrics } from '../../../shared/metrics/metrics.js';
import { type Deadline, requestContext } from '../../../shared/request-context.js';
import { operationDurations } from '../../store-metrics.js';
import { storeUnavailable } from '../../store-unavailable.js';
import type { StoreUser } from '../../store-user.js';
import { migrate, stateOf } from '../migrations/migrate.js';
import { createCollections, createIndexes, type Models, modelsOf } from '../schemas/models.js';
import { ConnectionSlots, type Priority } from './connection-slots.js';
import { KeyedMutex } from './keyed-mutex.js';
import { isOutage } from './driver-errors.js';
import { FailedTransactions, release } from './failed-transactions.js';
import { measurePool } from './pool-metrics.js';
import { runTransaction } from './run-transaction.js';
import { runUntil } from './statement-deadline.js';

/** A transaction in progress: each of its statements takes its session. */
export interface Transaction extends Models {
  readonly session: ClientSession;
}

/**
 * The connected database. It alone hands out the models, so every statement of this engine goes through it and ends by
 * the deadline of its request, or outside of requests by a deadline of its own.
 */
export class MongoStore implements StoreHealth {
  private readonly slots = new ConnectionSlots();
  private readonly durations: Readonly<Record<Priority | 'transaction', Histogram>>;
  private readonly mutex = new KeyedMutex();
  private readonly failed = new FailedTransactions((killSessions, signal) =>
    this.command({ killSessions }, signal),
  );

  private constructor(
    private readonly connection: Connection,
    private readonly models: Models,
    private readonly deadline: Deadline,
    metrics: Metrics,
  ) {
    const durations = operationDurations(metrics, 'mongodb');
    this.durations = {
      'license check': durations.labels('license_check'),
      other: durations.labels('statement'),
      transaction: durations.labels('transaction'),
    };
    measurePool(connection.getClient(), metrics);
    metrics.gauge(
      'mongodb_waiting_operations',
      'Statements and transactions that wait until they may use a connection',
      () => this.slots.waiting,
    );
  }

  /**
   * Brings the database to the schema of this program before the first statement, unless a program of the next schema
   * has prepared it.
   *
   * @throws StartupError where the database is too new, or too old for a tool
   */
  static async prepare(
    connection: Connection,
    deadline: Deadline,
    user: StoreUser,
    metrics: Metrics,
  ): Promise<MongoStore> {
    const models = modelsOf(connection);
    const state = await stateOf(connection);
    if (state === 'behind' && user !== 'service') throw new StartupError(tooOld(connection));
    if (state === 'empty' || (state !== 'next' && user === 'service')) {
      await createCollections(models);
      await migrate(connection);
      await createIndexes(models);
    }
    return new MongoStore(connection, models, deadline, metrics);
  }

  /**
   * Runs one statement.
   *
   * @throws DomainError STORE_UNAVAILABLE where the database is unreachable or too slow; OVERLOADED
   */
  run<T>(statement: (models: Models) => PromiseLike<T>, priority: Priority = 'other'): Promise<T> {
    return this.untilDeadline(
      (signal) => this.slots.run(priority, signal, async () => statement(this.models)),
      this.durations[priority],
    );
  }

  /**
   * Runs statements in one transaction, and again where it conflicted with another instance's, or its outcome is
   * unknown. No commit begins after the deadline.
   *
   * @param key names what such transactions conflict over. Within this process they run one after the other: many
   *   that conflict at once would each be retried until their deadline
   * @param work runs its statements one after the other
   * @throws DomainError STORE_UNAVAILABLE where the database is unreachable or too slow; OVERLOADED;
   *   TOO_MANY_CONCURRENT_REQUESTS
   */
  transaction<T>(key: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.untilDeadline(
      (signal) =>
        this.mutex.runExclusive(key, signal, () =>
          this.slots.run('other', signal, () => this.commit(signal, work)),
        ),
      this.durations.transaction,
    );
  }

  /**
   * Runs reads of one moment, that of the first of them: each takes the session, and the read concern `snapshot`.
   *
   * @throws DomainError STORE_UNAVAILABLE where the database is unreachable or too slow; OVERLOADED
   */
  async snapshot<T>(work: (session: ClientSession) => Promise<T>): Promise<T> {
    const session = await this.connection.startSession({ snapshot: true });
    try {
      return await work(session);
    } finally {
      void session.endSession().catch(() => undefined);
    }
  }

  /** Resolves when the primary responds. */
  async ping(): Promise<void> {
    await this.untilDeadline((signal) => this.command({ ping: 1 }, signal));
  }

  /**
   * Waits for work until the deadline of the request.
   *
   * @param duration observes the seconds until the work ended or failed
   * @throws DomainError STORE_UNAVAILABLE at the deadline, or where the database is unreachable or too slow
   */
  async untilDeadline<T>(
    work: (signal: AbortSignal) => Promise<T>,
    duration?: Histogram,
  ): Promise<T> {
    const begin = performance.now();
    const endsAt = requestContext.getStore()?.endsAt ?? begin + this.deadline.milliseconds;
    try {
      return await runUntil(endsAt, work);
    } catch (error) {
      throw isOutage(error) ? storeUnavailable(error) : error;
    } finally {
      duration?.observe((performance.now() - begin) / 1000);
    }
  }

  private async commit<T>(signal: AbortSignal, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const session = await this.connection.startSession();
    const tx = { session, ...this.models };
    try {
      const transaction = runTransaction(session, signal, () => work(tx));
      const result = await Promise.race([transaction, rejectionOf(signal)]);
      release(session);
      return result;
    } catch (error) {
      await this.failed.end(session);
      throw error;
    }
  }

  private command(command: mongo.Document, signal: AbortSignal): Promise<mongo.Document> {
    return this.connection.getClient().db('admin').command(command, { signal });
  }
}

const tooOld = ({ name }: Connection) =>
  `The database ${name} was written by an earlier version: start the service of this version first, which migrates it.`;

/** Rejects when a signal aborts, with its reason. */
const rejectionOf = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
