import { createHash, generateKeyPairSync, type JsonWebKey, randomUUID, sign } from 'node:crypto';
import type { PublicJwk } from '../../sdk/node/src/signing-keys.js';

/** The clock of the tests, in seconds since 1970. */
export const NOW = Date.parse('2027-01-15T08:00:00Z') / 1000;
export const DAY = 86_400;
export const PRODUCT = 'com.example.web-shop';
const LICENSE_ID = '665f1c2ab7e4a90012345678';
export const FINGERPRINT = 'the fingerprint of this machine';

/** What a certificate says unless a test says otherwise; times are seconds since 1970. */
const CONTENT = {
  product: PRODUCT,
  fingerprint: FINGERPRINT,
  issuedAt: NOW,
  days: 7,
  licenseEnd: NOW + 365 * DAY,
  services: ['Hosting'],
  entitlements: undefined as readonly string[] | undefined,
  /** The certificate ends with the lease. */
  leaseSeconds: undefined as number | undefined,
};

export type Content = Partial<typeof CONTENT>;

/** An account of the service that signs certificates. */
export class Issuer {
  readonly id = '65f1c2ab7e4a900123456789';
  private readonly pair = generateKeyPairSync('ed25519');

  get jwk(): PublicJwk {
    return this.pair.publicKey.export({ format: 'jwk' }) as PublicJwk;
  }

  get privateJwk(): JsonWebKey {
    return this.pair.privateKey.export({ format: 'jwk' });
  }

  certificate(content: Content = {}): string {
    const { issuedAt, leaseSeconds, ...rest } = { ...CONTENT, ...content };
    const { product, fingerprint, days, licenseEnd, services, entitlements } = rest;
    const payload = {
      ...{ iss: this.id, aud: product, sub: LICENSE_ID, jti: randomUUID() },
      ...{ iat: issuedAt, exp: issuedAt + (leaseSeconds ?? days * DAY) },
      machine: hash(`license-certificate:v1\n${this.id}\n${LICENSE_ID}\n${fingerprint}`),
      license: {
        expiresAt: new Date(licenseEnd * 1000).toISOString(),
        activatedAt: new Date(issuedAt * 1000).toISOString(),
        duration: 12,
        services,
        entitlements,
        leaseSeconds,
      },
    };
    return this.sign('license+jwt', payload);
  }

  /** A rejection of the license that a certificate has by default. */
  rejection(status: string, nonce: string): string {
    const [iss, sub] = [this.id, LICENSE_ID];
    const machine = hash(`license-certificate:v1\n${iss}\n${sub}\n${FINGERPRINT}`);
    const claims = { iss, aud: PRODUCT, sub, iat: NOW, nonce, machine, status };
    return this.sign('license-rejection+jwt', claims);
  }

  private sign(typ: string, payload: object): string {
    const { crv, kty, x } = this.jwk;
    const kid = hash(JSON.stringify({ crv, kty, x }));
    const input = `${encode({ alg: 'EdDSA', typ, kid })}.${encode(payload)}`;
    const signature = sign(null, Buffer.from(input), this.pair.privateKey);
    return `${input}.${signature.toString('base64url')}`;
  }
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
