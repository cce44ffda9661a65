import { randomUUID } from 'node:crypto';
import {
  CLAIMS,
  CURRENT,
  DAY,
  FINGERPRINT,
  issue,
  ISSUER,
  machine,
  NOW,
  PRODUCT,
  signedBy,
} from '../../sdk/vectors/certificates.mjs';
import { json, type Reply } from './scripted-service.js';

export * from '../../sdk/vectors/certificates.mjs';

/** The defaults of a certificate; times are seconds since 1970. */
const CONTENT = {
  fingerprint: FINGERPRINT,
  issuedAt: NOW,
  days: 7,
  licenseEnd: NOW + 365 * DAY,
  entitlements: undefined as readonly string[] | undefined,
  /** The certificate ends with the lease. */
  leaseSeconds: undefined as number | undefined,
  /** Other members of `license`. */
  facts: undefined as object | undefined,
};

/** Options of a program that accepts these certificates. */
export const PROGRAM = {
  issuer: ISSUER,
  product: PRODUCT,
  keys: [CURRENT.jwk],
  fingerprint: FINGERPRINT,
};

export type Content = Partial<typeof CONTENT>;

export function issueCertificate(content: Content = {}, key = CURRENT): string {
  const { fingerprint, issuedAt, days, licenseEnd, ...rest } = { ...CONTENT, ...content };
  const { entitlements, leaseSeconds, facts } = rest;
  const expiresAt = new Date(licenseEnd * 1000).toISOString();
  const terms = { expiresAt, services: ['Hosting'], entitlements, leaseSeconds, ...facts };
  const payload = {
    ...CLAIMS,
    ...{ jti: randomUUID(), iat: issuedAt, exp: issuedAt + (leaseSeconds ?? days * DAY) },
    machine: machine({ fingerprint }),
    license: { ...CLAIMS.license, ...terms },
  };
  return issue({ payload, ...signedBy(key) });
}

/** A rejection of the default license of a certificate. */
export function issueRejection(status: string, nonce: string, key = CURRENT): string {
  const { iss, aud, sub } = CLAIMS;
  return issue({
    header: { ...signedBy(key).header, typ: 'license-rejection+jwt' },
    payload: { iss, aud, sub, iat: NOW, nonce, machine: machine(), status },
    key,
  });
}

/** A validation that is active, with a certificate. */
export const active = (content?: Content): Reply =>
  json(200, { valid: true, status: 'active', certificate: issueCertificate(content) });

/** A validation that ends the license, signed with a key of the service, or another one. */
export const rejected =
  (status: string, key = CURRENT): Reply =>
  (response, { nonce = '' }) =>
    json(200, { status, rejection: issueRejection(status, nonce, key) })(response, {});
