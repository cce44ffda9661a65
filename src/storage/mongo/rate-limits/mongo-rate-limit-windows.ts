import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection, mongo } from 'mongoose';
import { newObjectId } from '../../../shared/ids/object-id.js';
import { MemoryWindows } from '../../../rate-limits/memory-windows.js';
import {
  type NamedLimit,
  type RateLimitWindow,
  RateLimitWindows,
  type Reservation,
} from '../../../rate-limits/rate-limit-windows.js';
import { DataKeys } from '../../../shared/sealing/data-keys.js';
import type { Statements } from '../connection/statements.js';
import { databaseOf } from '../documents/documents.js';
import { MongoStore } from '../mongo-store.js';
import {
  oneHit,
  oneReservation,
  openOrBegin,
  toRateLimitWindow,
  type WindowChange,
} from './rate-limit-statements.js';
import { RATE_LIMIT_WINDOWS, type RateLimitWindowRecord } from './rate-limit-window.js';

/**
 * Counts in the database, for all instances together: each call is one atomic statement. An instance remembers full windows
 * until they end, so that a flood from a blocked address costs the database nothing.
 */
@Injectable()
export class MongoRateLimitWindows extends RateLimitWindows {
  private readonly windows: mongo.Collection<RateLimitWindowRecord>;
  private readonly statements: Statements;

  constructor(
    @InjectConnection() connection: Connection,
    { statements }: MongoStore,
    private readonly dataKeys: DataKeys,
    private readonly full: MemoryWindows,
  ) {
    super();
    this.windows = databaseOf(connection).collection(RATE_LIMIT_WINDOWS);
    this.statements = statements;
  }

  async peek(limit: NamedLimit, key: string, now: Date): Promise<RateLimitWindow> {
    const full = this.findFull(limit, key, now);
    if (full) return full;
    const _id = this.idOf(limit, key);
    const record = await this.statements.run((options) => this.windows.findOne({ _id }, options));
    return this.noted(record, limit, key, now);
  }

  async hit(limit: NamedLimit, key: string, now: Date, value?: number): Promise<RateLimitWindow> {
    const full = this.findFull(limit, key, now);
    if (full) return { ...full, hits: limit.requests + 1 };
    const record = await this.change(limit, key, now, oneHit(limit, value));
    return this.noted(record, limit, key, now);
  }

  async reserve(limit: NamedLimit, key: string, now: Date): Promise<Reservation> {
    const full = this.findFull(limit, key, now);
    if (full) return { window: full, settle: undefined };
    const id = newObjectId();
    const record = await this.change(limit, key, now, oneReservation(limit, id, now));
    const { _id, endsAt } = record;
    // Its end identifies a key's window.
    const window = { _id, endsAt };
    const settle = async (hasFailed: boolean, settledAt: Date) => {
      if (settledAt >= endsAt) return 0;
      const update = { $inc: { hits: hasFailed ? 1 : 0 }, $pull: { reservations: { id } } };
      const settled = await this.statements.run((options) =>
        this.windows.findOneAndUpdate(window, update, { returnDocument: 'after', ...options }),
      );
      return this.noted(settled, limit, key, settledAt).hits;
    };
    const isReserved = record.reservations.some((reservation) => reservation.id === id);
    return {
      window: this.noted(record, limit, key, now),
      settle: isReserved ? settle : undefined,
    };
  }

  private async change(
    limit: NamedLimit,
    key: string,
    now: Date,
    change: WindowChange,
  ): Promise<RateLimitWindowRecord> {
    const _id = this.idOf(limit, key);
    const pipeline = [openOrBegin(_id, limit, now), { $set: change }];
    // Of simultaneous upserts of a new id, the server retries those that find it inserted.
    const upsert = { upsert: true, returnDocument: 'after' } as const;
    const record = await this.statements.run((options) =>
      this.windows.findOneAndUpdate({ _id }, pipeline, { ...upsert, ...options }),
    );
    return record!;
  }

  /** A stored window, which is remembered if it is full. */
  private noted(
    record: RateLimitWindowRecord | null,
    limit: NamedLimit,
    key: string,
    now: Date,
  ): RateLimitWindow {
    // Where values are counted, the limit itself still lets known ones pass.
    const full = record?.values.length ? limit.requests + 1 : limit.requests;
    if (record && record.hits >= full) {
      this.full.begin(limit, key, now.getTime(), record.endsAt.getTime()).hits = record.hits;
    }
    return toRateLimitWindow(record, limit, now);
  }

  private findFull(limit: NamedLimit, key: string, now: Date): RateLimitWindow | undefined {
    const window = this.full.find(limit, key, now.getTime());
    if (!window) return undefined;
    return { hits: window.hits, reserved: 0, endsIn: window.endsAt - now.getTime() };
  }

  /** Keyed: addresses of callers and e-mail addresses of accounts cannot be read from a copy of the database. */
  private idOf({ name }: NamedLimit, key: string): string {
    return this.dataKeys.hash('rate limit', name, key);
  }
}
