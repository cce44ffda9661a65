import { isCount, isText } from './json.js';
import { readJws } from './jws.js';
import type { SigningKeys } from './signing-keys.js';
import type { Damage } from './status.js';

/** The claims of a certificate that is not damaged. */
export interface Certificate {
  readonly product: string;
  readonly licenseId: string;
  /** Hash of the machine that it is for. */
  readonly machine: string;
  /** Seconds since 1970. */
  readonly issuedAt: number;
  /** Seconds since 1970; it is over at this time. */
  readonly expiresAt: number;
  readonly licenseExpiresAt: Date;
  readonly services: readonly string[];
  readonly entitlements: readonly string[];
  /** Null without a lease. */
  readonly leaseSeconds: number | null;
}

/** Rule 1, in its order. Of a claim that is repeated, the last counts (RFC 7519, section 4). */
export function parseCertificate(
  text: string,
  { issuer, keys }: { readonly issuer: string; readonly keys: SigningKeys },
): Certificate | Damage {
  const jws = readJws(text, 'license+jwt', keys);
  return jws.damage ?? readClaims(jws.claims, issuer);
}

function readClaims(claims: Readonly<Record<string, unknown>>, issuer: string) {
  const { iss, aud, sub, jti, machine, iat, exp, license } = claims;
  if (iss !== issuer) return 'issuer';
  const terms = Object(license) as Record<string, unknown>;
  const { expiresAt, services } = terms;
  // Older certificates have neither.
  const entitlements = terms.entitlements ?? [];
  const leaseSeconds = terms.leaseSeconds ?? null;
  const licenseExpiresAt = parseTimestamp(expiresAt);
  const isComplete =
    isText(aud) && isText(sub) && isText(jti) && isText(machine) && isCount(iat) && isCount(exp);
  const hasTerms = isTexts(services) && isTexts(entitlements) && isCountOrNull(leaseSeconds);
  if (!isComplete || !licenseExpiresAt || !hasTerms) return 'claims';
  return {
    product: aud,
    licenseId: sub,
    machine,
    issuedAt: iat,
    expiresAt: exp,
    licenseExpiresAt,
    services,
    entitlements,
    leaseSeconds,
  };
}

/** A time as the service writes it: ISO 8601 in UTC with milliseconds, of the years 0001 to 9999. */
function parseTimestamp(value: unknown): Date | undefined {
  const isCandidate = isText(value) && value.length === 24 && !value.startsWith('0000');
  const time = new Date(isCandidate ? value : NaN);
  return !Number.isNaN(time.getTime()) && time.toISOString() === value ? time : undefined;
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(isText);
}

function isCountOrNull(value: unknown): value is number | null {
  return value === null || isCount(value);
}
