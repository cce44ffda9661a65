import { createHash } from 'node:crypto';
import { type Certificate, parseCertificate } from './certificate.js';
import type { SigningKeys } from './signing-keys.js';
import { invalid, isCovered, type Rejection, type Status, valid } from './status.js';

/** How far a machine's clock may be behind, in seconds. */
export const MAX_CLOCK_SKEW = 86_400;

/** The constants built into a program, and the fingerprint of its machine. */
export interface Program {
  readonly issuer: string;
  readonly product: string;
  readonly keys: SigningKeys;
  readonly fingerprint: string;
  /** The release date of this build; undefined if it runs regardless of updates. */
  readonly releasedAt?: Date | undefined;
}

export interface Circumstances {
  /** The clock, in seconds since 1970. */
  readonly now: number;
  /** The latest time, in seconds since 1970, at which a certificate was valid or issued; 0 if none. */
  readonly rememberedTime: number;
  /** The last status from the service, if it was a rejection. */
  readonly rejection: Rejection | null;
  /** Whether the last certificate from the service had already expired by the clock when it arrived. */
  readonly isClockAhead?: boolean;
  /** The program it is for. */
  readonly releasedAt?: Date | undefined;
}

/** Rules 1 to 3: whether it is a certificate for this program and machine, regardless of the time. */
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

/**
 * How far the clock may be behind, in seconds. It is smaller for a short lease, which could otherwise be
 * used twice.
 */
export function clockTolerance({ leaseSeconds }: Certificate): number {
  return Math.min(MAX_CLOCK_SKEW, leaseSeconds ?? MAX_CLOCK_SKEW);
}

/** Rules 4 to 7: whether a certificate for this program and machine is valid at this time. */
export function judge(certificate: Certificate, circumstances: Circumstances): Status {
  const { issuedAt, expiresAt, licenseExpiresAt, terms } = certificate;
  const { now, rememberedTime, rejection, isClockAhead = false, releasedAt } = circumstances;
  const tolerance = clockTolerance(certificate);
  // 4
  if (rejection) return invalid(rejection, 'rejected', { terms });
  // 5
  if (issuedAt - now > tolerance) return invalid('clock', 'issued_in_future', { terms });
  if (rememberedTime - now > tolerance) return invalid('clock', 'clock_set_back', { terms });
  const validUntil = new Date(Math.min(expiresAt * 1000, licenseExpiresAt.getTime()));
  const isOver = now * 1000 >= validUntil.getTime();
  if (isOver && isClockAhead) return invalid('clock', 'already_over', { terms });
  // 6
  if (now * 1000 >= licenseExpiresAt.getTime()) {
    return invalid('expired', 'license_expired', { validUntil: licenseExpiresAt, terms });
  }
  if (isOver) return invalid('ended', 'certificate_ended', { validUntil, terms });
  // 7
  if (releasedAt && !isCovered(releasedAt, terms)) {
    return invalid('update_not_covered', 'updates_ended', { terms });
  }
  return valid(validUntil, certificate);
}

/** The claim `machine` of a license on this machine. */
export function machineOf({ issuer, fingerprint }: Program, licenseId: string): string {
  return createHash('sha256')
    .update(`license-certificate:v1\n${issuer}\n${licenseId}\n${fingerprint}`)
    .digest('base64url');
}
