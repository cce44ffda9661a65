import { parseDay } from './timestamps.js';

/** How the service rejected the license; stored until the next valid certificate. */
export type Rejection = 'revoked' | 'expired' | 'other_machine' | 'suspended' | 'lease_ended';

/** Why a certificate is `damaged`: the part of rule 1 that it fails. */
export type Damage = 'format' | 'header' | 'key' | 'signature' | 'issuer' | 'claims';

const FAILURES = [
  'no_response',
  'untrusted_server',
  'timeout',
  'rate_limited',
  'server_error',
  'not_the_service',
  'unknown_key',
  'no_certificate',
  'bad_certificate',
  'unproved',
  'request_rejected',
] as const;

/** Why a request to the service changed nothing. */
export type ContactFailure = (typeof FAILURES)[number];

export const CONTACT_FAILURES: ReadonlySet<string> = new Set(FAILURES);

export type Reason =
  | Damage
  | ContactFailure
  | 'product'
  | 'machine'
  | 'rejected'
  | 'issued_in_future'
  | 'clock_set_back'
  | 'already_over'
  | 'license_expired'
  | 'certificate_ended'
  | 'updates_ended'
  | 'state_file'
  | 'folder'
  | 'machine_id';

export type State =
  | Rejection
  | 'valid'
  | 'none'
  | 'damaged'
  | 'other_product'
  | 'clock'
  | 'ended'
  | 'update_not_covered'
  | 'unreadable';

/** The terms of the license, from its certificate; empty if the certificate cannot be used here. */
export interface Terms {
  /** When the license expires; null if it is perpetual. */
  readonly expiresAt: Date | null;
  readonly perpetual: boolean;
  /** The license covers builds released by then; null if it covers all builds. */
  readonly updatesUntil: Date | null;
  /** The name of your vendor's customer. */
  readonly licensee: string | null;
  /** The name of the plan. */
  readonly plan: string | null;
}

/** Whether the program may run, how long, and the terms of the license. */
export interface Status extends Terms {
  readonly state: State;
  /** Whether the program may run, that is, whether the state is `valid`. */
  readonly isValid: boolean;
  /**
   * How long the program may run without another certificate: until the certificate or the license expires,
   * whichever comes first. In the states `ended` and `expired`, when that happened; null in all other
   * states.
   */
  readonly validUntil: Date | null;
  /** The services that the license includes; empty unless `valid`. */
  readonly services: readonly string[];
  /** The entitlements that the license includes; empty unless `valid`. */
  readonly entitlements: readonly string[];
  /** A stable code; null in the state `none`, and in the state `valid` unless a refresh has failed since. */
  readonly reason: Reason | null;
  /** Whether the license is `valid` and includes this entitlement. */
  has(entitlement: string): boolean;
  /**
   * Whether a build released on this day, `YYYY-MM-DD`, may run with this license. False in any state
   * except `valid` and `update_not_covered`, and for a text that is not a day.
   */
  mayUpdateTo(day: string): boolean;
}

const NO_TERMS: Terms = {
  expiresAt: null,
  perpetual: false,
  updatesUntil: null,
  licensee: null,
  plan: null,
};

type Members = Omit<Status, 'isValid' | 'has' | 'mayUpdateTo'>;

/** A class, so that its methods do not appear in its JSON. */
class LicenseStatus implements Status {
  readonly state: State;
  readonly isValid: boolean;
  readonly validUntil: Date | null;
  readonly expiresAt: Date | null;
  readonly perpetual: boolean;
  readonly updatesUntil: Date | null;
  readonly licensee: string | null;
  readonly plan: string | null;
  readonly services: readonly string[];
  readonly entitlements: readonly string[];
  readonly reason: Reason | null;

  constructor(members: Members) {
    this.state = members.state;
    this.isValid = members.state === 'valid';
    this.validUntil = members.validUntil;
    this.expiresAt = members.expiresAt;
    this.perpetual = members.perpetual;
    this.updatesUntil = members.updatesUntil;
    this.licensee = members.licensee;
    this.plan = members.plan;
    this.services = members.services;
    this.entitlements = members.entitlements;
    this.reason = members.reason;
  }

  has(entitlement: string): boolean {
    return this.entitlements.includes(entitlement);
  }

  mayUpdateTo(day: string): boolean {
    const releasedAt = parseDay(day);
    const mayRun = this.isValid || this.state === 'update_not_covered';
    return mayRun && releasedAt !== undefined && isCovered(releasedAt, this);
  }
}

/** Whether the license includes a build of this day, regardless of today's date. */
export function isCovered(releasedAt: Date, { updatesUntil }: Pick<Terms, 'updatesUntil'>) {
  return updatesUntil === null || releasedAt <= updatesUntil;
}

interface Included {
  readonly terms: Terms;
  readonly services: readonly string[];
  readonly entitlements: readonly string[];
}

export function valid(validUntil: Date, { terms, services, entitlements }: Included): Status {
  const members = { state: 'valid', validUntil, services, entitlements, reason: null } as const;
  return new LicenseStatus({ ...members, ...terms });
}

export function invalid(
  state: State,
  reason: Reason | null,
  { validUntil = null, terms = NO_TERMS }: { validUntil?: Date | null; terms?: Terms } = {},
): Status {
  const members = { state, reason, validUntil, services: [], entitlements: [] };
  return new LicenseStatus({ ...members, ...terms });
}

export function withReason(status: Status, reason: Reason): Status {
  return new LicenseStatus({ ...status, reason });
}
