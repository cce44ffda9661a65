import { randomInt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Config } from '../shared/config/config.js';
import { DomainError } from '../shared/errors/domain-error.js';
import {
  IDEMPOTENCY_RECORDS,
  type IdempotencyRecord,
  type StoredResult,
} from '../shared/idempotency/idempotency-record.js';
import { EstimatedQuota } from '../shared/quotas/estimated-quota.js';
import {
  withDeadline,
  currentDeadline,
  asContention,
  recordLocked,
  remainingTime,
} from '../shared/request-context.js';
import { Clock } from '../shared/time/clock.js';
import { type Change, insert, replace } from './changes.js';
import { NOT_STORED } from './collection.js';
import { Turns } from './turns.js';
import { type Committed, WritableStore } from './writable-store.js';

/** The side effects of changes, decided in one place and committed together with them. */
export abstract class Effects {
  /** The changes plus their effects; effects have no effects of their own. */
  abstract addEffects(changes: readonly Change[]): Promise<readonly Change[]>;
}

/** The decision about a request: its result, and the changes to commit before returning it. */
export interface Decision<T> {
  readonly result: T;
  readonly changes: readonly Change[];
  /** Whether the request continues with another decision: an idempotency key then stores no result yet. */
  readonly isStep?: boolean;
}

/**
 * Reads and decides. Runs again if a change could not be applied because another request changed a record
 * in the meantime.
 *
 * @param failed the failed change of the previous attempt; undefined on the first attempt
 * @throws DomainError if it rejects the request
 */
export type Decide<T> = (failed?: Change) => Promise<Decision<T>>;

export interface DecisionOptions {
  /** Executes the decision once for this record, and returns the first result to every repeat. */
  readonly idempotency?: IdempotencyRecord | undefined;
  /** Identifies the contended records. Decisions with the same key run one at a time within this process. */
  readonly key?: string | undefined;
}

/** No retry starts within this many milliseconds of the request's deadline. */
const RETRY_MARGIN = 200;
/** Maximum pause before the second attempt, in milliseconds. It doubles with each attempt, up to a maximum. */
const FIRST_PAUSE = 2;
const MAX_PAUSE = 100;
/** Maximum number of decisions waiting for one key. */
export const MAX_WAITING = 64;

/** Decides on changes and commits all or none. Decides again if another request won the race. */
@Injectable()
export class Decisions {
  private readonly turns = new Turns();
  /** Maximum number of unexpired idempotency records per account. */
  private readonly quota: EstimatedQuota;

  constructor(
    private readonly store: WritableStore,
    private readonly effects: Effects,
    { quotas }: Config,
    private readonly clock: Clock,
  ) {
    this.quota = new EstimatedQuota(quotas.idempotencyRecords, 'IDEMPOTENCY_QUOTA_REACHED');
  }

  /**
   * @returns the result of the committed decision, or of the earlier one with the same idempotency record
   * @throws DomainError of the decision; IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_QUOTA_REACHED;
   * TOO_MANY_CONCURRENT_REQUESTS if too many wait for the key; OVERLOADED if other requests win every
   *   race until the deadline; also the errors of {@link Store}
   */
  run<T extends object | void>(
    decide: Decide<T>,
    { idempotency, key }: DecisionOptions = {},
  ): Promise<T> {
    const work = () =>
      idempotency ? this.runIdempotent(idempotency, decide) : this.runWithRetries(decide);
    return key === undefined ? work() : this.runInTurn(key, work);
  }

  /** Commits changes once, with their effects. For jobs, which handle a failed condition themselves. */
  async commit(changes: readonly Change[]): Promise<Committed> {
    return this.store.commit(await this.effects.addEffects(changes));
  }

  /**
   * The result of an earlier request with the same idempotency record.
   *
   * @throws DomainError IDEMPOTENCY_KEY_REUSED if that request was different
   */
  async findResult<T extends object | void>(
    idempotency: IdempotencyRecord,
  ): Promise<{ readonly result: T } | undefined> {
    const stored = await this.store.find(IDEMPOTENCY_RECORDS, { _id: idempotency._id });
    return stored ? this.resultOf<T>(idempotency, stored) : undefined;
  }

  /**
   * Runs one at a time. Otherwise 20 machines racing for one license on MongoDB would take three times as
   * long, and of 64 changes to one record, a third would miss their deadline.
   */
  private async runInTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
    const { running, waiting } = this.turns.of(key);
    if (waiting >= MAX_WAITING) {
      throw new DomainError('TOO_MANY_CONCURRENT_REQUESTS', {}, { rejectedBy: 'record_lock' });
    }
    const endsAt = currentDeadline();
    const inTime = async () => {
      remainingTime(endsAt);
      return work();
    };
    try {
      return await withDeadline(endsAt, this.turns.run(key, inTime));
    } catch (error) {
      throw running > 0 ? asContention(error) : error;
    }
  }

  private async runWithRetries<T extends object | void>(decide: Decide<T>): Promise<T> {
    const end = currentDeadline();
    let failed: Change | undefined;
    for (let attempt = 0; attempt === 0 || performance.now() < end - RETRY_MARGIN; attempt += 1) {
      if (failed) await setTimeout(randomInt(Math.min(FIRST_PAUSE * 2 ** attempt, MAX_PAUSE)));
      try {
        const { result, changes } = await decide(failed);
        if (changes.length === 0) return result;
        const committed = await this.commit(changes);
        if (committed.ok) return result;
        failed = committed.failed;
      } catch (error) {
        // The deadline was missed because of other requests.
        throw failed ? asContention(error) : error;
      }
    }
    throw recordLocked();
  }

  private runIdempotent<T extends object | void>(
    idempotency: IdempotencyRecord,
    decide: Decide<T>,
  ): Promise<T> {
    return this.runWithRetries(async (failed) => {
      const stored = await this.store.find(IDEMPOTENCY_RECORDS, { _id: idempotency._id });
      const earlier = stored ? this.resultOf<T>(idempotency, stored) : undefined;
      if (earlier) return { ...earlier, changes: [] };
      let decision: Decision<T>;
      try {
        decision = await decide(failed);
      } catch (error) {
        // A concurrent request with the same idempotency record may be the cause. If so, its result is returned.
        const concurrent = await this.findResult<T>(idempotency);
        if (!concurrent) throw error;
        return { ...concurrent, changes: [] };
      }
      if (decision.isStep) return decision;
      const { result, changes } = decision;
      const { _id, owner, requestHash, createdAt, expiresAt } = idempotency;
      const unexpired = { owner, expiresAt: { from: new Date(createdAt.getTime() + 1) } };
      await this.quota.requireRoom(owner, (atMost) =>
        this.store.count(IDEMPOTENCY_RECORDS, unexpired, atMost),
      );
      const fields = { _id, owner, requestHash, expiresAt };
      const record = { ...fields, version: NOT_STORED, result: result ?? {} };
      // Replaces an expired record.
      const change = stored
        ? replace(IDEMPOTENCY_RECORDS, stored, record)
        : insert(IDEMPOTENCY_RECORDS, record);
      return { result, changes: [...changes, change] };
    });
  }

  private resultOf<T extends object | void>(
    { requestHash }: IdempotencyRecord,
    stored: StoredResult,
  ): { readonly result: T } | undefined {
    if (stored.expiresAt <= this.clock.now()) return undefined;
    if (stored.requestHash !== requestHash) throw new DomainError('IDEMPOTENCY_KEY_REUSED');
    return { result: stored.result as T };
  }
}
