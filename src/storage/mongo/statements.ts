import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import pLimit from 'p-limit';
import {
  beforeDeadline,
  Deadline,
  endOfWork,
  requestContext,
  storeUnavailable,
  timeUntil,
} from '../../shared/request-context.js';
import { StoreMetrics } from '../store-metrics.js';
import { AccountTurns } from '../turns.js';
import { MAX_POOL_SIZE } from './connect.js';
import { isOutage } from './driver-errors.js';

/** Connections of the pool that only license checks use. */
const RESERVED = 36;
/** Most lists and counts in progress, of which an account has one. */
const MAX_READS = 4;
/** The server ends a statement this many milliseconds before the driver would: so its connection is kept. */
const SERVER_MARGIN = 100;

/** Options by which a statement ends at its deadline. */
export interface StatementOptions {
  /** Ends it on the server. */
  readonly maxTimeMS: number;
  /** Ends waiting for it, and trying it again, in the driver, which closes its connection then. */
  readonly signal: AbortSignal;
}

type Statement<T> = (options: StatementOptions) => Promise<T>;

/**
 * Runs statements until the deadline of their request; outside of requests, they have one of their own.
 *
 * @throws DomainError STORE_UNAVAILABLE at the deadline, or if the database is unreachable or too slow
 */
@Injectable()
export class Statements {
  private readonly others = pLimit(MAX_POOL_SIZE - RESERVED);
  private readonly turns = new AccountTurns(MAX_READS);

  constructor(
    @InjectConnection() private readonly connection: Connection,
    private readonly deadline: Deadline,
    private readonly metrics: StoreMetrics,
  ) {
    metrics.waiting('reads', () => this.others.pendingCount + this.turns.waiting);
  }

  /** Keeps connections free for license checks, so that they never wait for one behind other work. */
  run<T>(
    statement: Statement<T>,
    isUrgent = isLicenseCheck(),
    endsAt = this.endOfWork(),
  ): Promise<T> {
    const send = () => runUntil(endsAt, statement);
    return this.measured(() => (isUrgent ? send() : this.others(send)), endsAt);
  }

  /** Runs a read that may take long: license checks immediately, everything else in the turn of its account. */
  read<T>(account: string, statement: Statement<T>): Promise<T> {
    if (isLicenseCheck()) return this.run(statement);
    const endsAt = this.endOfWork();
    const send = () => this.others(() => runUntil(endsAt, statement));
    return this.measured(() => this.turns.run(account, send), endsAt);
  }

  /** Resolves when the primary responds. */
  async ping(): Promise<void> {
    const admin = this.connection.getClient().db('admin');
    const endsAt = this.endOfWork();
    const ping = () => runUntil(endsAt, ({ signal }) => admin.command({ ping: 1 }, { signal }));
    await this.untilDeadline(ping, endsAt);
  }

  /** The deadline of work that begins now, in milliseconds of performance.now(). */
  endOfWork(): number {
    return endOfWork(this.deadline);
  }

  /** Waits for work until a deadline, however long it continues. */
  async untilDeadline<T>(work: () => Promise<T>, endsAt: number): Promise<T> {
    try {
      return await beforeDeadline(endsAt, work());
    } catch (error) {
      throw isOutage(error) ? storeUnavailable(error) : error;
    }
  }

  private async measured<T>(work: () => Promise<T>, endsAt: number): Promise<T> {
    const begin = performance.now();
    try {
      return await this.untilDeadline(work, endsAt);
    } finally {
      this.metrics.took('read', begin);
    }
  }
}

/**
 * Runs a statement that ends at a deadline.
 *
 * @param endsAt the deadline, in milliseconds of performance.now()
 * @throws DomainError STORE_UNAVAILABLE at the deadline
 */
export async function runUntil<T>(endsAt: number, statement: Statement<T>): Promise<T> {
  const remaining = timeUntil(endsAt);
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(storeUnavailable('deadline')), remaining);
  try {
    // 0 would be no limit.
    return await statement({
      maxTimeMS: Math.max(1, remaining - SERVER_MARGIN),
      signal: controller.signal,
    });
  } finally {
    clearTimeout(timer);
  }
}

/** Shipped software waits for license checks, so other work must not delay them. */
export const isLicenseCheck = (): boolean => requestContext.getStore()?.isLicenseCheck ?? false;
