import type { Connection } from 'mongoose';
import pLimit from 'p-limit';
import type { Histogram, Metrics } from '../../../metrics/metrics.js';
import { type Deadline, endOfWork, requestContext } from '../../../shared/request-context.js';
import { beforeDeadline } from '../../deadline.js';
import { ReadTurns } from '../../read-turns.js';
import { operationDurations } from '../../store-metrics.js';
import { storeUnavailable } from '../../store-unavailable.js';
import { MAX_POOL_SIZE } from './connection-options.js';
import { isOutage } from './driver-errors.js';
import { runUntil, type Statement } from './statement-time.js';

/** Connections of the pool that only license checks use. */
const RESERVED = 36;
/** Most lists and counts in progress, of which an account has one. */
const MAX_READS = 4;

const OPERATIONS = ['license_check', 'statement', 'transaction'] as const;
type Operation = (typeof OPERATIONS)[number];

/**
 * Runs statements until the deadline of their request; outside of requests, they have one of their own.
 *
 * @throws DomainError STORE_UNAVAILABLE at the deadline, or where the database is unreachable or too slow
 */
export class Statements {
  private readonly others = pLimit(MAX_POOL_SIZE - RESERVED);
  private readonly turns = new ReadTurns(MAX_READS);
  private readonly durations: Readonly<Record<Operation, Histogram>>;

  constructor(
    private readonly connection: Connection,
    private readonly deadline: Deadline,
    metrics: Metrics,
  ) {
    this.durations = operationDurations(metrics, 'mongodb', OPERATIONS);
  }

  /** How many wait for a connection or their turn. */
  get waiting(): number {
    return this.others.pendingCount + this.turns.size;
  }

  /** Keeps connections free for license checks, so that they never wait for one behind other work. */
  run<T>(
    statement: Statement<T>,
    isUrgent = isLicenseCheck(),
    endsAt = this.endOfWork(),
  ): Promise<T> {
    const send = () => runUntil(endsAt, statement);
    const work = () => (isUrgent ? send() : this.others(send));
    return this.untilDeadline(work, isUrgent ? 'license_check' : 'statement', endsAt);
  }

  /** Runs a read that may take long: license checks immediately, everything else in the turn of its account. */
  read<T>(account: string, statement: Statement<T>): Promise<T> {
    if (isLicenseCheck()) return this.run(statement);
    const endsAt = this.endOfWork();
    const send = () => this.others(() => runUntil(endsAt, statement));
    return this.untilDeadline(() => this.turns.run(account, send), 'statement', endsAt);
  }

  /** Resolves when the primary responds. */
  async ping(): Promise<void> {
    const admin = this.connection.getClient().db('admin');
    const endsAt = this.endOfWork();
    await this.untilDeadline(() =>
      runUntil(endsAt, ({ signal }) => admin.command({ ping: 1 }, { signal })),
    );
  }

  /** The deadline of work that begins now, in milliseconds of performance.now(). */
  endOfWork(): number {
    return endOfWork(this.deadline);
  }

  /**
   * Waits for work until the deadline, however long it goes on.
   *
   * @param operation by which its duration is measured
   */
  async untilDeadline<T>(
    work: () => Promise<T>,
    operation?: Operation,
    endsAt = this.endOfWork(),
  ): Promise<T> {
    const begin = performance.now();
    try {
      return await beforeDeadline(endsAt, work());
    } catch (error) {
      throw isOutage(error) ? storeUnavailable(error) : error;
    } finally {
      if (operation) this.durations[operation].observe((performance.now() - begin) / 1000);
    }
  }
}

/** Shipped software waits for license checks, so other work must not delay them. */
export const isLicenseCheck = (): boolean => requestContext.getStore()?.isLicenseCheck ?? false;
