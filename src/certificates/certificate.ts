import { randomUUID } from 'node:crypto';
import type { License } from '../licenses/license.js';
import { machineOf, signJws, type Signer } from './jws.js';

const DAY = 86_400;

/** Range of the days that a certificate is valid. */
export const MIN_DAYS = 1;
export const MAX_DAYS = 366;

export interface CertificateRequest {
  /** As shipped software names it: the label of the product, or the project's id. */
  readonly product: string;
  /** Names the machine: printable ASCII, without leading or trailing spaces. */
  readonly fingerprint: string;
  readonly days: number;
  /** The end of the machine's lease, with which it ends at the latest; null without one. */
  readonly endsAt?: Date | null;
}

/** The claims of a certificate; times in seconds since 1970. */
export interface CertificateClaims {
  readonly iss: string;
  readonly aud: string;
  readonly sub: string;
  readonly jti: string;
  readonly iat: number;
  readonly exp: number;
  /** base64url of a SHA-256 over issuer, license and fingerprint. */
  readonly machine: string;
  readonly license: {
    readonly expiresAt: string;
    readonly activatedAt: string;
    readonly duration: number | null;
    readonly services: readonly string[];
    readonly entitlements: readonly string[];
    /** Of a floating license. */
    readonly leaseSeconds?: number;
  };
}

/**
 * The claims of an ACTIVE license, which end with the license, and with the lease, at the latest.
 *
 * @returns null in the last second of the license: the certificate would be over at once
 */
export function claimsOf(
  license: License,
  issuer: string,
  { product, fingerprint, days, endsAt }: CertificateRequest,
  now: Date,
): CertificateClaims | null {
  const iat = toSeconds(now);
  const { leaseSeconds } = license;
  const ends = [license.expiresAt, endsAt ?? license.expiresAt].map(toSeconds);
  const exp = Math.min(iat + days * DAY, ...ends);
  if (exp <= iat) return null;
  return {
    iss: issuer,
    aud: product,
    sub: license._id,
    jti: randomUUID(),
    iat,
    exp,
    machine: machineOf(issuer, license._id, fingerprint),
    license: {
      expiresAt: license.expiresAt.toISOString(),
      activatedAt: license.activatedAt!.toISOString(),
      duration: license.duration,
      services: license.services,
      entitlements: license.entitlements,
      ...(leaseSeconds !== null && { leaseSeconds }),
    },
  };
}

export function signCertificate(claims: CertificateClaims, signer: Signer): string {
  return signJws('license+jwt', claims, signer);
}

export const endOf = ({ exp }: CertificateClaims): Date => new Date(exp * 1000);

const toSeconds = (time: Date) => Math.floor(time.getTime() / 1000);
