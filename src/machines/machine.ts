import { searchForm } from '../shared/fields/search-form.js';
import type { AccountId } from '../shared/ids.js';
import { boolean, collection, id, type RecordOf, text, time } from '../storage/collection.js';

export const MAX_MACHINES = 1_000_000;

/** Range of the seconds for which a machine holds a seat of a floating license after each heartbeat. */
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
  /** As its software names it. */
  name: text().nullable(),
  /** The {@link searchForm} of the name; empty without one. */
  searchName: text(),
  createdAt: time(),
  /** When it took its seat. */
  activatedAt: time(),
  /** The beginning (UTC) of the day on which it was seen last. */
  lastSeenAt: time(),
  /** As of the last heartbeat; null for a seat that is held until it is released. `leaseEndOf` says what it means for the license. */
  leaseEndsAt: time().nullable(),
  /** Whether a certificate that ends with the lease was issued: the seat then stays taken until that end, even if it is released. */
  isCertified: boolean(),
  /** The end of its certificate for offline activation; null without one. `leaseEndsAt`, if set, is not before it. */
  certificateEndsAt: time().nullable(),
  isReleased: boolean(),
};

/** A seat of a license that a machine holds, or held until its lease ended or it was released. */
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

/** A machine as it calls. */
export interface Caller {
  readonly machineId: string;
  /** As it names itself. */
  readonly name?: string | undefined;
}

/** Hexadecimal digits of a machine's hash that tell it from all others of a license: 96 bits of an HMAC. */
const DIGITS = 24;

/** What the ids of records are like. */
export const RECORD_ID_PATTERN = /^[\w-]{24}[0-9a-f]{24}$/;

/** The id of a record: a seat group has one of each machine, so it needs no other unique index. */
export const recordId = (seatsOf: string, machineId: string): string =>
  seatsOf + machineId.slice(0, DIGITS);

/** The stored forms of a name. */
export const named = (name: string | null): Pick<Machine, 'name' | 'searchName'> => ({
  name,
  searchName: searchForm(name ?? ''),
});
