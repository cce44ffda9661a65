import { createHash } from 'node:crypto';
import { type Certificate, parseCertificate } from './certificate.js';
import type { SigningKeys } from './signing-keys.js';
import { invalid, type Rejection, type Status, valid } from './status.js';

/** How far the clock of a machine may be behind, in seconds. */
const MAX_CLOCK_SKEW = 86_400;

/** The constants built into a program, and the fingerprint of its machine. */
export interface Program {
  readonly issuer: string;
  readonly product: string;
  readonly keys: SigningKeys;
  readonly fingerprint: string;
}

export interface Circumstances {
  /** The clock, in seconds since 1970. */
  readonly now: number;
  /** The latest time, in seconds since 1970, at which a certificate was valid or issued; 0 if none. */
  readonly rememberedTime: number;
  /** The last status that the service gave the license, if it was a rejection. */
  readonly rejection: Rejection | null;
  /** Whether the last certificate from the service had already ended by the clock when it arrived. */
  readonly isClockAhead?: boolean;
}

/** The six rules in their order; the first that fails gives the state. */
export function verify(text: string, program: Program, circumstances: Circumstances): Status {
  const certificate = readCertificate(text, program);
  return 'state' in certificate ? certificate : judge(certificate, circumstances);
}

/** Rules 1 to 3: whether it is a certificate for this program and machine, whatever the time. */
export function readCertificate(text: string, program: Program): Certificate | Status {
  // 1
  const certificate = parseCertificate(text, program);
  if (typeof certificate === 'string') return invalid('damaged', certificate);
  // 2
  if (certificate.product !== program.product) return invalid('other_product', 'product');
  // 3
  if (certificate.machine !== machineOf(program, certificate.licenseId)) {
    return invalid('other_machine', 'machine');
  }
  return certificate;
}

/** How far the clock may be behind, in seconds: with a lease less, or the lease could be used twice. */
export function clockTolerance({ leaseSeconds }: Certificate): number {
  return Math.min(MAX_CLOCK_SKEW, leaseSeconds ?? MAX_CLOCK_SKEW);
}

/** Rules 4 to 6: whether a certificate for this program and machine is valid at this time. */
export function judge(
  certificate: Certificate,
  { now, rememberedTime, rejection, isClockAhead = false }: Circumstances,
): Status {
  const { issuedAt, expiresAt, licenseExpiresAt } = certificate;
  const tolerance = clockTolerance(certificate);
  // 4
  if (rejection) return invalid(rejection, 'rejected');
  // 5
  if (issuedAt - now > tolerance) return invalid('clock', 'issued_in_future');
  if (rememberedTime - now > tolerance) return invalid('clock', 'clock_set_back');
  const until = new Date(Math.min(expiresAt * 1000, licenseExpiresAt.getTime()));
  if (isClockAhead && now * 1000 >= until.getTime()) return invalid('clock', 'already_over');
  // 6
  if (now * 1000 >= licenseExpiresAt.getTime()) return invalid('expired', 'license_expired', until);
  if (now >= expiresAt) return invalid('ended', 'certificate_ended', until);
  return valid(until, certificate);
}

/** Claim `machine` of a license on this machine. */
export function machineOf({ issuer, fingerprint }: Program, licenseId: string): string {
  return createHash('sha256')
    .update(`license-certificate:v1\n${issuer}\n${licenseId}\n${fingerprint}`)
    .digest('base64url');
}
