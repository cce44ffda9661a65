import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { LRUCache } from 'lru-cache';
import type { Connection, mongo } from 'mongoose';
import { maxEntries } from '../../../shared/bounded-cache.js';
import { newObjectId } from '../../../shared/ids/object-id.js';
import { REMEMBERED } from '../../../shared/rate-limit/fixed-windows.js';
import {
  type NamedLimit,
  type RateLimitWindow,
  RateLimitWindows,
  type Reservation,
} from '../../../shared/rate-limit/rate-limit-windows.js';
import { DataKeys } from '../../../shared/sealing/data-keys.js';
import type { Statements } from '../connection/statements.js';
import { databaseOf } from '../documents/documents.js';
import { MongoStore } from '../mongo-store.js';
import {
  isOpen,
  oneHit,
  oneReservation,
  openOrBegin,
  toRateLimitWindow,
  type WindowChange,
} from './rate-limit-statements.js';
import { RATE_LIMIT_WINDOWS, type RateLimitWindowRecord } from './rate-limit-window.js';

/** Counts in the database, for all instances together: each call is one atomic statement. */
@Injectable()
export class MongoRateLimitWindows extends RateLimitWindows {
  /** Full windows, remembered until they end: so a flood from a blocked address costs the database nothing. */
  private readonly full = new LRUCache<string, RateLimitWindowRecord>(maxEntries(REMEMBERED));

  private readonly windows: mongo.Collection<RateLimitWindowRecord>;
  private readonly statements: Statements;

  constructor(
    @InjectConnection() connection: Connection,
    { statements }: MongoStore,
    private readonly dataKeys: DataKeys,
  ) {
    super();
    this.windows = databaseOf(connection).collection(RATE_LIMIT_WINDOWS);
    this.statements = statements;
  }

  async peek(limit: NamedLimit, key: string, now: Date): Promise<RateLimitWindow> {
    const _id = this.idOf(limit, key);
    const record =
      this.findFull(_id, limit, now) ??
      (await this.statements.run((options) => this.windows.findOne({ _id }, options)));
    if (record) this.rememberFull(record, limit);
    return toRateLimitWindow(record, limit, now);
  }

  async hit(limit: NamedLimit, key: string, now: Date, value?: number): Promise<RateLimitWindow> {
    const _id = this.idOf(limit, key);
    const full = this.findFull(_id, limit, now);
    if (full) return { ...toRateLimitWindow(full, limit, now), hits: limit.requests + 1 };
    const record = await this.change(_id, limit, now, oneHit(limit, value));
    this.rememberFull(record, limit);
    return toRateLimitWindow(record, limit, now);
  }

  async reserve(limit: NamedLimit, key: string, now: Date): Promise<Reservation> {
    const _id = this.idOf(limit, key);
    const id = newObjectId();
    const record =
      this.findFull(_id, limit, now) ??
      (await this.change(_id, limit, now, oneReservation(limit, id, now)));
    this.rememberFull(record, limit);
    const isReserved = record.reservations.some((reservation) => reservation.id === id);
    return {
      window: toRateLimitWindow(record, limit, now),
      settle: isReserved
        ? (hasFailed, settledAt) => this.settle(record, id, limit, hasFailed, settledAt)
        : undefined,
    };
  }

  private async settle(
    { _id, endsAt }: RateLimitWindowRecord,
    id: string,
    limit: NamedLimit,
    hasFailed: boolean,
    now: Date,
  ): Promise<number> {
    if (now >= endsAt) return 0;
    // Its end identifies a key's window.
    const window = { _id, endsAt };
    const update = { $inc: { hits: hasFailed ? 1 : 0 }, $pull: { reservations: { id } } };
    const record = await this.statements.run((options) =>
      this.windows.findOneAndUpdate(window, update, { returnDocument: 'after', ...options }),
    );
    if (record) this.rememberFull(record, limit);
    return record?.hits ?? 0;
  }

  private change(
    _id: string,
    limit: NamedLimit,
    now: Date,
    change: WindowChange,
  ): Promise<RateLimitWindowRecord> {
    const pipeline = [openOrBegin(_id, limit, now), { $set: change }];
    const upsert = { upsert: true, returnDocument: 'after' } as const;
    return this.statements.run(async (options) => {
      // Of simultaneous upserts of a new id, the server retries those that find it inserted.
      const record = await this.windows.findOneAndUpdate({ _id }, pipeline, {
        ...upsert,
        ...options,
      });
      return record!;
    });
  }

  private rememberFull(record: RateLimitWindowRecord, { requests }: NamedLimit): void {
    // Where values are counted, the limit itself still lets known ones pass.
    const passing = record.values.length > 0 ? requests : requests - 1;
    if (record.hits > passing) this.full.set(record._id, { ...record, values: [] });
  }

  private findFull(_id: string, limit: NamedLimit, now: Date): RateLimitWindowRecord | undefined {
    const record = this.full.get(_id);
    return record && isOpen(record, limit, now) ? record : undefined;
  }

  /** Keyed: addresses of callers and e-mail addresses of accounts cannot be read from a copy of the database. */
  private idOf({ name }: NamedLimit, key: string): string {
    return this.dataKeys.hash('rate limit', name, key);
  }
}
