import type { Connection } from 'mongoose';
import type { Histogram, Metrics } from '../../../shared/metrics/metrics.js';
import { type Deadline, requestContext } from '../../../shared/request-context.js';
import { operationDurations } from '../../store-metrics.js';
import { storeUnavailable } from '../../store-unavailable.js';
import { ConnectionSlots, type Priority } from './connection-slots.js';
import { isOutage } from './driver-errors.js';
import { PrimaryTerms } from './primary-terms.js';
import { runUntil, type StatementOptions, type StatementTime } from './statement-deadline.js';

type Statement<T> = (options: StatementOptions) => Promise<T>;

type Operation = 'license_check' | 'statement' | 'transaction';

/** Runs statements until the deadline of their request; outside of requests, they have one of their own. */
export class Statements {
  private readonly slots = new ConnectionSlots();
  private readonly terms: PrimaryTerms;
  private readonly durations: Readonly<Record<Operation, Histogram>>;

  constructor(
    private readonly connection: Connection,
    private readonly deadline: Deadline,
    metrics: Metrics,
  ) {
    this.terms = new PrimaryTerms(connection);
    const durations = operationDurations(metrics, 'mongodb');
    this.durations = {
      license_check: durations.labels('license_check'),
      statement: durations.labels('statement'),
      transaction: durations.labels('transaction'),
    };
  }

  /** How many wait for a connection. */
  get waiting(): number {
    return this.slots.waiting;
  }

  /**
   * Runs one statement.
   *
   * @throws DomainError STORE_UNAVAILABLE where the database is unreachable or too slow; OVERLOADED
   */
  run<T>(statement: Statement<T>): Promise<T> {
    return this.work((time) => this.send(time, statement));
  }

  /** Runs statements that are measured as one; each is to be sent by {@link send}. */
  work<T>(work: (time: StatementTime) => Promise<T>, priority = priorityOfRequest()): Promise<T> {
    return this.untilDeadline(work, priority === 'license check' ? 'license_check' : 'statement');
  }

  /** Sends one statement of work under way, when there is a connection for it. */
  send<T>(
    time: StatementTime,
    statement: Statement<T>,
    priority = priorityOfRequest(),
  ): Promise<T> {
    return this.slots.run(priority, time.signal, () => statement(time.options()));
  }

  /** As {@link send}, of a read that finds every acknowledged write. */
  read<T>(
    time: StatementTime,
    statement: Statement<T>,
    priority = priorityOfRequest(),
  ): Promise<T> {
    return this.terms.read(() => this.send(time, statement, priority));
  }

  /** Resolves when the primary responds. */
  async ping(): Promise<void> {
    const admin = this.connection.getClient().db('admin');
    await this.untilDeadline(({ signal }) => admin.command({ ping: 1 }, { signal }));
  }

  /**
   * Waits for work until the deadline of the request.
   *
   * @param operation by which its duration is measured
   * @throws DomainError STORE_UNAVAILABLE at the deadline, or where the database is unreachable or too slow
   */
  async untilDeadline<T>(
    work: (time: StatementTime) => Promise<T>,
    operation?: Operation,
  ): Promise<T> {
    const begin = performance.now();
    const endsAt = requestContext.getStore()?.endsAt ?? begin + this.deadline.milliseconds;
    try {
      return await runUntil(endsAt, work);
    } catch (error) {
      throw isOutage(error) ? storeUnavailable(error) : error;
    } finally {
      if (operation) this.durations[operation].observe((performance.now() - begin) / 1000);
    }
  }
}

export const priorityOfRequest = (): Priority =>
  requestContext.getStore()?.isLicenseCheck ? 'license check' : 'other';
