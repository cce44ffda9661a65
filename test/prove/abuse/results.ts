/** The result of customer.mjs. */
export interface Validations {
  readonly sent: number;
  /** The validations that did not find the license valid, by reason. */
  readonly rejected: Counts;
  /** Milliseconds of the other validations, from their due times; null where there are none. */
  readonly p50: number | null;
  readonly p99: number | null;
  /** The p99 of the milliseconds by which the customer sent requests late. */
  readonly late: number | null;
}

/** The result of callers.mjs. */
export interface CallersResult {
  readonly statuses: Counts;
  /** Responses that no caller may get. */
  readonly failures: Counts;
  readonly opened: number;
  /** Connections that the service closed or did not accept. */
  readonly closed: number;
  /** Requests on connections that are still open, without a response. */
  readonly withoutResponse: number;
}

/** The result of stuck-callers.mjs. */
export interface StuckResult {
  readonly opened: number;
  /** Longest time for which the service kept a connection, in seconds, by kind. */
  readonly longest: Counts;
  /** Connections that were open at the end. */
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
