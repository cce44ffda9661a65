/** What the customer got, by customer.mjs. */
export interface Validations {
  readonly sent: number;
  /** The validations that did not find the license valid, by reason. */
  readonly rejected: Counts;
  /** Milliseconds of the others, from when each was due; null where there is none. */
  readonly p50: number | null;
  readonly p99: number | null;
  /** By how many milliseconds the customer itself was late, at p99. */
  readonly late: number | null;
}

/** What callers.mjs reports. */
export interface CallersResult {
  readonly statuses: Counts;
  /** Responses that no caller may get. */
  readonly failures: Counts;
  readonly opened: number;
  /** Connections that the service closed, or did not let a caller open. */
  readonly closed: number;
  /** Requests on connections that are still open, without a response. */
  readonly withoutResponse: number;
}

/** What stuck-callers.mjs reports. */
export interface StuckResult {
  readonly opened: number;
  /** Seconds for which the service kept a connection, at most, by kind. */
  readonly longest: Counts;
  /** Connections that it still kept at the end. */
  readonly openAtEnd: number;
}

/** Numbers by name. */
export type Counts = Readonly<Record<string, number>>;

/** `3 of 200, 1 of 503` */
export const counted = (counts: Counts) =>
  Object.entries(counts)
    .map(([name, count]) => `${count} of ${name}`)
    .join(', ') || 'none';

export const totalOf = (counts: Counts) =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);
