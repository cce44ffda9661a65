import { createHash, type KeyObject, randomUUID, sign } from 'node:crypto';
import type { License } from '../licenses/license.js';

const DAY = 86_400;

/** How long a certificate can be valid, in days. */
export const MIN_DAYS = 1;
export const MAX_DAYS = 366;

/** The private key that signs for an account, with its identifiers. */
export interface Signer {
  /** Claim `iss`. */
  readonly issuer: string;
  readonly kid: string;
  readonly privateKey: KeyObject;
}

/** Names meant for people: whom a license is for, and what they bought. */
export interface Names {
  /** The client's name. */
  readonly licensee: string;
  /** The plan's name; null if there is none. */
  readonly plan: string | null;
}

/** The software and machine that a statement applies to. */
export interface Installation {
  /** The name shipped software uses: the product label, or the project id. */
  readonly product: string;
  /** Identifies the machine: printable ASCII without leading or trailing spaces. */
  readonly fingerprint: string;
}

export interface SignedCertificate {
  readonly certificate: string;
  readonly endsAt: Date;
}

/**
 * Certifies that an ACTIVE license may be used on a machine for some days, at most until the license or the
 * machine's lease expires.
 *
 * @param leaseEndsAt null if there is no lease
 * @returns null in the last second of the license, when the certificate would already be expired
 */
export function signCertificate(
  { license, names }: { readonly license: License; readonly names: Names },
  { product, fingerprint }: Installation,
  days: number,
  leaseEndsAt: Date | null,
  signer: Signer,
  now: Date,
): SignedCertificate | null {
  const { issuer } = signer;
  const { _id, expiresAt, activatedAt, duration, services, entitlements } = license;
  const { leaseSeconds, updatesUntil } = license;
  const iat = toSeconds(now);
  const exp = Math.min(iat + days * DAY, ...[expiresAt, leaseEndsAt ?? expiresAt].map(toSeconds));
  if (exp <= iat) return null;
  const claims = {
    iss: issuer,
    aud: product,
    sub: _id,
    jti: randomUUID(),
    iat,
    exp,
    machine: machineOf(issuer, _id, fingerprint),
    license: {
      expiresAt,
      activatedAt: activatedAt!,
      duration,
      services,
      entitlements,
      ...(leaseSeconds !== null && { leaseSeconds }),
      ...(updatesUntil && { updatesUntil }),
    },
  };
  const named = { ...claims, license: { ...claims.license, ...fitting(names, claims) } };
  return {
    certificate: signJws('license+jwt', named, signer),
    endsAt: new Date(exp * 1000),
  };
}

/** The size of the claims, in bytes, for a certificate of 4,096 characters. */
const MAX_CLAIMS = 2_900;
/** The bytes of member names, quotes and punctuation. */
const OF_MEMBERS = Buffer.byteLength(',"licensee":,"plan":');

/** The names, cut to the room left by long entitlements: the licensee is shortened first, then the plan is dropped. */
function fitting({ licensee, plan }: Names, claims: object): { licensee: string; plan?: string } {
  const room = MAX_CLAIMS - OF_MEMBERS - bytesOf(claims);
  const hasPlan = plan !== null && bytesOf(plan) <= room / 2;
  const characters = [...licensee];
  let shown = licensee;
  while (bytesOf(shown) > room - (hasPlan ? bytesOf(plan) : 0) && characters.pop()) {
    shown = `${characters.join('')}…`;
  }
  return { licensee: shown, ...(hasPlan && { plan }) };
}

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

/** The statuses that stop a license on its machine. Software requires proof before it acts on them. */
const SIGNED = ['revoked', 'expired', 'suspended', 'machine_mismatch', 'lease_ended'];

/**
 * Certifies that a license must not be used on a machine.
 *
 * @param nonce chosen by the software, so replayed responses prove nothing
 * @returns undefined for a status that does not stop the license
 */
export function signRejection(
  licenseId: string,
  status: string,
  { product, fingerprint }: Installation,
  nonce: string,
  signer: Signer,
  now: Date,
): string | undefined {
  if (!SIGNED.includes(status)) return undefined;
  const { issuer } = signer;
  const claims = {
    iss: issuer,
    aud: product,
    sub: licenseId,
    iat: toSeconds(now),
    nonce,
    machine: machineOf(issuer, licenseId, fingerprint),
    status,
  };
  return signJws('license-rejection+jwt', claims, signer);
}

/** A compact JWS (RFC 7515) with Ed25519 (RFC 8037). Takes about 35 µs. */
function signJws(typ: string, claims: object, { kid, privateKey }: Signer): string {
  const input = `${encode({ alg: 'EdDSA', typ, kid })}.${encode(claims)}`;
  return `${input}.${sign(null, Buffer.from(input), privateKey).toString('base64url')}`;
}

/** Claim `machine`: SHA-256 of issuer, license and fingerprint, in base64url. */
const machineOf = (issuer: string, licenseId: string, fingerprint: string): string =>
  createHash('sha256')
    .update(`license-certificate:v1\n${issuer}\n${licenseId}\n${fingerprint}`)
    .digest('base64url');

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Seconds since 1970, rounded down. */
const toSeconds = (time: Date) => Math.floor(time.getTime() / 1000);
