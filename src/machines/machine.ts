import { searchForm } from '../shared/fields/search-form.js';
import type { AccountId } from '../shared/ids.js';
import { boolean, collection, id, type RecordOf, text, time } from '../storage/collection.js';

export const MAX_MACHINES = 1_000_000;

/** How long a machine holds a seat of a floating license after each heartbeat, in seconds. */
export const MIN_LEASE = 300;
export const MAX_LEASE = 86_400;

const FIELDS = {
  /** See {@link recordId}. */
  _id: text(),
  /** The seat group: `seatsOf` of the license. */
  license: text(),
  user: id<AccountId>(),
  /** Keyed hash of the machine. */
  machineId: text(),
  /** The name its software uses. */
  name: text().nullable(),
  /** The {@link searchForm} of the name; empty if there is no name. */
  searchName: text(),
  createdAt: time(),
  /** When it took its seat. */
  activatedAt: time(),
  /** Start of the day (UTC) on which it was last seen. */
  lastSeenAt: time(),
  /**
   * As of the last heartbeat; null for a seat held until released. `leaseEndOf` combines it with
   * the license.
   */
  leaseEndsAt: time().nullable(),
  /**
   * Whether a certificate was issued that expires with the lease. The seat then stays taken until that
   * time, even if released.
   */
  isCertified: boolean(),
  /** When its offline activation certificate expires; null if it has none. `leaseEndsAt`, if set, is never earlier. */
  certificateEndsAt: time().nullable(),
  isReleased: boolean(),
};

/** A seat on a license that a machine holds, or held until its lease expired or it was released. */
export type Machine = RecordOf<typeof FIELDS>;

export const MACHINES = collection<Machine>('machines', {
  fields: FIELDS,
  indexes: [
    ['user', 'license', 'isReleased', 'leaseEndsAt', '_id'],
    ['user', 'license', 'createdAt', '_id'],
    ['user', 'machineId', 'createdAt', '_id'],
    ['user', 'leaseEndsAt', '_id'],
  ],
  account: 'user',
  cached: true,
});

/** A machine as described by a request. */
export interface Caller {
  readonly machineId: string;
  /** The name its software sends. */
  readonly name?: string | undefined;
}

/** Hex digits of a machine's hash that are unique within a license: 96 bits of an HMAC. */
const DIGITS = 24;

/** The shape of record ids. */
export const RECORD_ID_PATTERN = /^[\w-]{24}[0-9a-f]{24}$/;

/** The record id. Each machine has one per seat group, so no other unique index is needed. */
export const recordId = (seatsOf: string, machineId: string): string =>
  seatsOf + machineId.slice(0, DIGITS);

/** The stored forms of a name. */
export const nameFields = (name: string | null): Pick<Machine, 'name' | 'searchName'> => ({
  name,
  searchName: searchForm(name ?? ''),
});
