/** How the service rejected the license; stored until the next good certificate. */
export type Rejection = 'revoked' | 'expired' | 'other_machine' | 'suspended' | 'lease_ended';

/** Why a certificate is `damaged`: the part of rule 1 that it breaks. */
export type Damage = 'format' | 'header' | 'key' | 'signature' | 'issuer' | 'claims';

const FAILURES = [
  'no_response',
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
  | 'unreadable';

/** Whether the program may run, and until when. */
export interface Status {
  /** The program may run if it is `valid`. */
  readonly state: State;
  /** The end of `valid`; for a certificate or a license that is over, the time at which it ended; otherwise null. */
  readonly until: Date | null;
  /** The services that the license includes; empty unless `valid`. */
  readonly services: readonly string[];
  /** The entitlements that the license includes; empty unless `valid`. */
  readonly entitlements: readonly string[];
  /** A stable code; null if `none`, or if `valid` after a good response or none since the start. */
  readonly reason: Reason | null;
  /** Whether the license is `valid` and includes this entitlement. */
  has(entitlement: string): boolean;
}

type Members = Omit<Status, 'has'>;

/** A class, because has() must not become a member of its JSON. */
class LicenseStatus implements Status {
  readonly state: State;
  readonly until: Date | null;
  readonly services: readonly string[];
  readonly entitlements: readonly string[];
  readonly reason: Reason | null;

  constructor({ state, until, services, entitlements, reason }: Members) {
    this.state = state;
    this.until = until;
    this.services = services;
    this.entitlements = entitlements;
    this.reason = reason;
  }

  has(entitlement: string): boolean {
    return this.entitlements.includes(entitlement);
  }
}

export function valid(until: Date, included: Pick<Status, 'services' | 'entitlements'>): Status {
  const { services, entitlements } = included;
  return new LicenseStatus({ state: 'valid', until, services, entitlements, reason: null });
}

export function invalid(state: State, reason: Reason | null, until: Date | null = null): Status {
  return new LicenseStatus({ state, until, services: [], entitlements: [], reason });
}

export function withReason(status: Status, reason: Reason): Status {
  return new LicenseStatus({ ...status, reason });
}
