import { type KeyObject, verify } from 'node:crypto';
import type { SigningKeys } from './signing-keys.js';
import type { Damage } from './status.js';

const MAX_CHARACTERS = 4096;

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

/**
 * Rule 1: the parts, the header, the key, the signature, the issuer and the claims, in this order. The payload is parsed
 * only once its signature is verified. Of a claim that is repeated, the last counts (RFC 7519, section 4).
 */
export function parseCertificate(
  text: string,
  { issuer, keys }: { readonly issuer: string; readonly keys: SigningKeys },
): Certificate | Damage {
  if (text.length > MAX_CHARACTERS) return 'format';
  const parts = text.split('.');
  if (parts.length !== 3 || !parts.every(isCanonical)) return 'format';
  const [header, payload, signature] = parts.map((part) => Buffer.from(part, 'base64url'));

  const members = parseJson(header!);
  if (members === undefined) return 'format';
  if (!isHeader(members) || repeatsName(header!.toString(), members)) return 'header';

  const key = keys.get(members.kid as string);
  if (!key) return 'key';
  if (!isSigned(`${parts[0]}.${parts[1]}`, signature!, key)) return 'signature';

  const claims = parseJson(payload!);
  if (claims === undefined) return 'format';
  return isObject(claims) ? readClaims(claims, issuer) : 'claims';
}

/** Node's decoder ignores foreign characters, padding and unused bits, so the result is encoded again and compared. */
function isCanonical(part: string): boolean {
  return Buffer.from(part, 'base64url').toString('base64url') === part;
}

function isHeader(value: unknown): value is { kid: unknown } {
  return (
    isObject(value) &&
    Object.keys(value).sort().join() === 'alg,kid,typ' &&
    value.alg === 'EdDSA' &&
    value.typ === 'license+jwt'
  );
}

/** Whether JSON.parse has dropped a member: of equal names, it keeps the last. */
function repeatsName(json: string, parsed: unknown): boolean {
  return countNames(json) !== countNames(JSON.stringify(parsed));
}

function countNames(json: string): number {
  const texts = [...json.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)];
  return texts.filter(([, colon]) => colon !== undefined).length;
}

function isSigned(input: string, signature: Buffer, key: KeyObject): boolean {
  return verify(null, Buffer.from(input), key, signature);
}

function readClaims(claims: Record<string, unknown>, issuer: string): Certificate | Damage {
  const { iss, aud, sub, jti, machine, iat, exp, license } = claims;
  if (iss !== issuer) return 'issuer';
  const terms = Object(license) as Record<string, unknown>;
  const { expiresAt, services } = terms;
  // Older certificates have neither.
  const entitlements = terms.entitlements ?? [];
  const leaseSeconds = terms.leaseSeconds ?? null;
  const licenseExpiresAt = parseTimestamp(expiresAt);
  const isComplete =
    isText(aud) && isText(sub) && isText(jti) && isText(machine) && isTime(iat) && isTime(exp);
  const hasTerms = isTexts(services) && isTexts(entitlements) && isTimeOrNull(leaseSeconds);
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

/** The JSON value of UTF-8 bytes; undefined if they are not JSON. */
function parseJson(bytes: Buffer): unknown {
  try {
    // A byte order mark is not JSON, so it must not be dropped.
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

/** A time as the service writes it: ISO 8601 in UTC with milliseconds. */
function parseTimestamp(value: unknown): Date | undefined {
  const time = new Date(isText(value) && value.length === 24 ? value : NaN);
  return !Number.isNaN(time.getTime()) && time.toISOString() === value ? time : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(isText);
}

function isTimeOrNull(value: unknown): value is number | null {
  return value === null || isTime(value);
}

function isTime(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
