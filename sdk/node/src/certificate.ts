import { isCount, isText } from './json.js';
import { readJws } from './jws.js';
import type { SigningKeys } from './signing-keys.js';
import type { Damage, Terms } from './status.js';
import { parseTimestamp } from './timestamps.js';

/** The expiry of a perpetual license. */
const NEVER = '9999-12-31T23:59:59.999Z';

/** The claims of a certificate that is not damaged. */
export interface Certificate {
  readonly product: string;
  readonly licenseId: string;
  /** The hash of its machine. */
  readonly machine: string;
  /** Seconds since 1970. */
  readonly issuedAt: number;
  /** When it expires, in seconds since 1970. */
  readonly expiresAt: number;
  readonly licenseExpiresAt: Date;
  readonly terms: Terms;
  readonly services: readonly string[];
  readonly entitlements: readonly string[];
  /** Null if there is no lease. */
  readonly leaseSeconds: number | null;
}

/** Checks rule 1, in its order. If a claim is repeated, the last one counts (RFC 7519, section 4). */
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
  // Older certificates have none of these.
  const entitlements = terms.entitlements ?? [];
  const leaseSeconds = terms.leaseSeconds ?? null;
  const licensee = terms.licensee ?? null;
  const plan = terms.plan ?? null;
  const updatesUntil =
    (terms.updatesUntil ?? null) === null ? null : parseTimestamp(terms.updatesUntil);
  const licenseExpiresAt = parseTimestamp(expiresAt);
  const isComplete =
    isText(aud) && isText(sub) && isText(jti) && isText(machine) && isCount(iat) && isCount(exp);
  const hasTerms = isTexts(services) && isTexts(entitlements) && isCountOrNull(leaseSeconds);
  const hasFacts = isTextOrNull(licensee) && isTextOrNull(plan) && updatesUntil !== undefined;
  if (!isComplete || !licenseExpiresAt || !hasTerms || !hasFacts) return 'claims';
  const perpetual = expiresAt === NEVER;
  return {
    product: aud,
    licenseId: sub,
    machine,
    issuedAt: iat,
    expiresAt: exp,
    licenseExpiresAt,
    terms: {
      expiresAt: perpetual ? null : licenseExpiresAt,
      perpetual,
      updatesUntil,
      licensee,
      plan,
    },
    services,
    entitlements,
    leaseSeconds,
  };
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(isText);
}

function isCountOrNull(value: unknown): value is number | null {
  return value === null || isCount(value);
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || isText(value);
}
