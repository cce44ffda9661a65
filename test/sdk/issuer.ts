import { randomUUID } from 'node:crypto';
import {
  CLAIMS,
  DAY,
  FINGERPRINT,
  issue,
  machine,
  NOW,
  signedBy,
  type SigningKey,
} from '../../sdk/vectors/certificates.mjs';

export { DAY, FINGERPRINT, NOW, PRODUCT } from '../../sdk/vectors/certificates.mjs';

/** What a certificate says unless a test says otherwise; times are seconds since 1970. */
const CONTENT = {
  fingerprint: FINGERPRINT,
  issuedAt: NOW,
  days: 7,
  licenseEnd: NOW + 365 * DAY,
  entitlements: undefined as readonly string[] | undefined,
  /** The certificate ends with the lease. */
  leaseSeconds: undefined as number | undefined,
};

export type Content = Partial<typeof CONTENT>;

/** The account of the vectors, which signs with this key. */
export class Issuer {
  readonly id = CLAIMS.iss;

  constructor(private readonly key: SigningKey) {}

  get jwk() {
    return this.key.jwk;
  }

  certificate(content: Content = {}): string {
    const { fingerprint, issuedAt, days, licenseEnd, ...rest } = { ...CONTENT, ...content };
    const { entitlements, leaseSeconds } = rest;
    const expiresAt = new Date(licenseEnd * 1000).toISOString();
    const terms = { expiresAt, services: ['Hosting'], entitlements, leaseSeconds };
    const payload = {
      ...CLAIMS,
      ...{ jti: randomUUID(), iat: issuedAt, exp: issuedAt + (leaseSeconds ?? days * DAY) },
      machine: machine({ fingerprint }),
      license: { ...CLAIMS.license, ...terms },
    };
    return issue({ payload, ...signedBy(this.key) });
  }

  /** A rejection of the license that a certificate has by default. */
  rejection(status: string, nonce: string): string {
    const { iss, aud, sub } = CLAIMS;
    const { header, key } = signedBy(this.key);
    return issue({
      header: { ...header, typ: 'license-rejection+jwt' },
      payload: {
        iss,
        aud,
        sub,
        iat: NOW,
        nonce,
        machine: machine({ fingerprint: FINGERPRINT }),
        status,
      },
      key,
    });
  }
}
