import type { LimitName } from '../config/config.js';

/** The bounds that protect the service from overload. */
export const OVERLOAD_REASONS = [
  /** Requests in progress of a class of work. */
  'capacity',
  /** Requests in progress of one address or one account. */
  'address',
  'account',
  /** A change of many records that the store cannot complete in time. */
  'store_queue',
  /** Requests that wait to change the same records. */
  'record_lock',
] as const;

export type OverloadReason = (typeof OVERLOAD_REASONS)[number];

/** The rate limit or the bound that rejects a request. */
export type RejectedBy = LimitName | OverloadReason;

export const isOverloadReason = (by: RejectedBy): by is OverloadReason =>
  (OVERLOAD_REASONS as readonly RejectedBy[]).includes(by);
