import { type Connection, type Model, Schema } from 'mongoose';

/** Seconds from a window's end to its deletion: the server deletes by its own clock, which may be ahead. */
const KEPT = 3_600;

/** The hits of a key in its latest window. */
export interface RateLimitWindowRecord {
  /** Keyed hash of the limit's name and the key. */
  readonly _id: string;
  readonly hits: number;
  readonly endsAt: Date;
}

export const RATE_LIMIT_WINDOWS = 'rate_limit_windows';

export const rateLimitWindowModel = (connection: Connection): Model<unknown> =>
  connection.model<unknown>(
    RATE_LIMIT_WINDOWS,
    new Schema({}, { strict: false }).index({ endsAt: 1 }, { expireAfterSeconds: KEPT }),
    RATE_LIMIT_WINDOWS,
  );
