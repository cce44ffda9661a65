import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection, mongo } from 'mongoose';
import pLimit from 'p-limit';
import {
  withDeadline,
  Deadline,
  currentDeadline,
  requestContext,
  storeUnavailable,
  remainingTime,
} from '../../shared/request-context.js';
import { NOT_STORED } from '../collection.js';
import { StoreMetrics } from '../store-metrics.js';
import { AccountTurns } from '../turns.js';
import { MAX_POOL_SIZE } from './connect.js';
import { isOutage } from './driver-errors.js';

/** Pool connections reserved for license checks. */
const RESERVED_CONNECTIONS = 36;
/** Maximum number of concurrent lists and counts; each account has one. */
const MAX_READS = 4;
/** The server ends a statement this many milliseconds before the driver would, so the connection stays open. */
const SERVER_MARGIN = 100;

/** Options that end a statement at its deadline. */
export interface StatementOptions {
  /** Ends it on the server. */
  readonly maxTimeMS: number;
  /** Stops waiting and retrying in the driver, which then closes the connection. */
  readonly signal: AbortSignal;
}

type Statement<T> = (options: StatementOptions) => Promise<T>;

/**
 * Runs statements until the deadline of their request or, outside requests, until their own.
 *
 * Reads see every acknowledged commit. A new primary does not know yet that a majority has the latest ones, so
 * reads wait until a no-op write on it has a majority. If there is an election meanwhile, they run again.
 *
 * @throws DomainError STORE_UNAVAILABLE at the deadline, or if the database is unreachable or too slow
 */
@Injectable()
export class Statements {
  private readonly others = pLimit(MAX_POOL_SIZE - RESERVED_CONNECTIONS);
  private readonly turns = new AccountTurns(MAX_READS);
  /** The latest known election, and the latest one whose primary shows every acknowledged commit. */
  private election = 'unknown';
  private confirmed: string | undefined;

  constructor(
    @InjectConnection() private readonly connection: Connection,
    private readonly deadline: Deadline,
    private readonly metrics: StoreMetrics,
  ) {
    metrics.gaugeWaiting('reads', () => this.others.pendingCount + this.turns.waiting);
    connection.getClient().on('topologyDescriptionChanged', this.noteElection);
  }

  /** Runs a short read. Reserves connections for license checks, so they never wait behind other work. */
  run<T>(
    statement: Statement<T>,
    isUrgent = isLicenseCheck(),
    endsAt = this.currentDeadline(),
  ): Promise<T> {
    const send = () => this.send(statement, endsAt);
    return this.measured(() => (isUrgent ? send() : this.others(send)), endsAt);
  }

  /** Runs a short write, once. */
  write<T>(statement: Statement<T>): Promise<T> {
    const endsAt = this.currentDeadline();
    const send = () => runWithDeadline(endsAt, statement);
    return this.measured(() => (isLicenseCheck() ? send() : this.others(send)), endsAt);
  }

  /** Runs a potentially slow read: for license checks immediately, for everything else in the account's turn. */
  read<T>(account: string, statement: Statement<T>): Promise<T> {
    if (isLicenseCheck()) return this.run(statement);
    const endsAt = this.currentDeadline();
    const send = () => this.others(() => this.send(statement, endsAt));
    return this.measured(() => this.turns.run(account, send), endsAt);
  }

  /** Resolves when the primary responds. */
  async ping(): Promise<void> {
    const admin = this.connection.getClient().db('admin');
    const endsAt = this.currentDeadline();
    const ping = () =>
      runWithDeadline(endsAt, ({ signal }) => admin.command({ ping: 1 }, { signal }));
    await this.withDeadline(ping, endsAt);
  }

  /** The deadline of work that starts now, in milliseconds of performance.now(). */
  currentDeadline(): number {
    return currentDeadline(this.deadline);
  }

  /** Waits for work, but not past a deadline; the work itself is not canceled. */
  async withDeadline<T>(work: () => Promise<T>, endsAt: number): Promise<T> {
    try {
      return await withDeadline(endsAt, work());
    } catch (error) {
      throw isOutage(error) ? storeUnavailable(error) : error;
    }
  }

  /** A mongos has no election ID, so the elections of shards stay unknown. */
  private readonly noteElection = ({ newDescription }: mongo.TopologyDescriptionChangedEvent) => {
    for (const { isWritable, electionId } of newDescription.servers.values()) {
      if (isWritable) this.election = String(electionId);
    }
  };

  private async send<T>(statement: Statement<T>, endsAt: number): Promise<T> {
    const { election } = this;
    if (this.confirmed !== election) {
      await waitForMajority(this.connection.getClient().db().collection('instances'), null, endsAt);
      this.confirmed = election;
    }
    const result = await runWithDeadline(endsAt, statement);
    // The driver may have sent it to a new primary before reporting the election.
    return this.election === election ? result : this.send(statement, endsAt);
  }

  private async measured<T>(work: () => Promise<T>, endsAt: number): Promise<T> {
    const begin = performance.now();
    try {
      return await this.withDeadline(work, endsAt);
    } finally {
      this.metrics.observeDuration('read', begin);
    }
  }
}

/**
 * Runs a statement that ends at a deadline.
 *
 * @param endsAt the deadline, in milliseconds of performance.now()
 * @throws DomainError STORE_UNAVAILABLE at the deadline
 */
export async function runWithDeadline<T>(endsAt: number, statement: Statement<T>): Promise<T> {
  const remaining = remainingTime(endsAt);
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(storeUnavailable('deadline')), remaining);
  try {
    // 0 would mean no limit.
    return await statement({
      maxTimeMS: Math.max(1, remaining - SERVER_MARGIN),
      signal: controller.signal,
    });
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for a no-op write. Reads after it see everything the primary had before. */
export const waitForMajority = (collection: mongo.Collection, id: unknown, endsAt: number) => {
  const nothing = { _id: { $eq: id as mongo.ObjectId }, version: NOT_STORED };
  const update = { $set: { version: NOT_STORED } };
  return runWithDeadline(endsAt, (options) => collection.updateOne(nothing, update, options));
};

/** Shipped software waits for license checks, so other work must not delay them. */
export const isLicenseCheck = (): boolean => requestContext.getStore()?.isLicenseCheck ?? false;
