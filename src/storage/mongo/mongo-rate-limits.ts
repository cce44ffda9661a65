import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { type Connection, type mongo, Schema } from 'mongoose';
import { MemoryRateLimits } from '../../limits/memory-rate-limits.js';
import { RateLimits, type Window } from '../../limits/rate-limits.js';
import type { Limit } from '../../shared/config/config.js';
import { DataKeys } from '../../shared/sealing/data-keys.js';
import { Clock } from '../../shared/time/clock.js';
import { Statements } from './statements.js';

/** The hits of a key in its latest window. */
interface WindowRecord {
  /** Keyed hash of the limit's name and the key. */
  readonly _id: string;
  readonly hits: number;
  readonly endsAt: Date;
}

export const RATE_LIMIT_WINDOWS = 'rate_limit_windows';
/** Delays deletion, because the server's clock may be ahead. */
export const WINDOW_SCHEMA = new Schema({}, { strict: false }).index(
  { endsAt: 1 },
  { expireAfterSeconds: 3_600 },
);

/** Maximum clock difference between instances, in milliseconds. */
const CLOCK_TOLERANCE = 60_000;

/**
 * Counts in the database, across instances: each hit is one atomic statement. An instance remembers full windows
 * until they end, so a flood from a blocked address costs the database nothing.
 */
@Injectable()
export class MongoRateLimits extends RateLimits {
  private readonly windows: mongo.Collection<WindowRecord>;

  constructor(
    @InjectConnection() connection: Connection,
    private readonly statements: Statements,
    private readonly dataKeys: DataKeys,
    private readonly full: MemoryRateLimits,
    private readonly clock: Clock,
  ) {
    super();
    this.windows = connection.getClient().db().collection(RATE_LIMIT_WINDOWS);
  }

  async hit(limit: Limit, key: string, cost: 0 | 1 = 1): Promise<Window> {
    if (this.full.hitSync(limit, key, 0).hits > 0) return this.full.hitSync(limit, key, cost);
    // Hashed, so network and email addresses cannot be read from a copy of the database.
    const _id = this.dataKeys.hash('rate limit', limit.name, key);
    const now = this.clock.now();
    const record = await (cost === 0
      ? this.statements.run((options) => this.windows.findOne({ _id }, options))
      : this.statements.write((options) =>
          // The server retries one of two simultaneous upserts with the same new id.
          this.windows.findOneAndUpdate({ _id }, countHit(limit, now), {
            ...{ upsert: true, returnDocument: 'after' },
            ...options,
          }),
        ));
    const window = toWindow(record, limit, now);
    if (window.hits >= limit.requests) this.full.set(limit, key, window);
    return window;
  }
}

/** Counts a hit in the open window, up to limit + 1, or starts a new window. */
function countHit({ requests, seconds }: Limit, now: Date): object[] {
  const isOpen = {
    $and: [{ $gt: ['$endsAt', now] }, { $lte: ['$endsAt', latestEnd(seconds, now)] }],
  };
  const hits = { $cond: [isOpen, { $min: [{ $add: ['$hits', 1] }, requests + 1] }, 1] };
  const endsAt = { $cond: [isOpen, '$endsAt', new Date(now.getTime() + seconds * 1000)] };
  return [{ $set: { hits, endsAt } }];
}

function toWindow(record: WindowRecord | null, { seconds }: Limit, now: Date): Window {
  if (!record || record.endsAt <= now || record.endsAt > latestEnd(seconds, now)) {
    return { hits: 0, endsIn: 0 };
  }
  // The clock of the instance that started the window may be ahead.
  const endsIn = Math.min(record.endsAt.getTime() - now.getTime(), seconds * 1000);
  return { hits: record.hits, endsIn };
}

/** A window that ends later dates from before the clock was set back. */
const latestEnd = (seconds: number, now: Date) =>
  new Date(now.getTime() + seconds * 1000 + CLOCK_TOLERANCE);
