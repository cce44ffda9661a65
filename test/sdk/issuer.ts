import { createHash, generateKeyPairSync, type JsonWebKey, randomUUID, sign } from 'node:crypto';
import type { PublicJwk } from '../../sdk/node/src/signing-keys.js';

/** The clock of the tests, in seconds since 1970. */
export const NOW = Date.parse('2027-01-15T08:00:00Z') / 1000;
export const DAY = 86_400;
export const PRODUCT = 'com.example.web-shop';
const LICENSE_ID = '665f1c2ab7e4a90012345678';
export const FINGERPRINT = 'the fingerprint of this machine';

export interface Content {
  readonly product?: string;
  readonly fingerprint?: string;
  readonly licenseId?: string;
  /** Seconds since 1970. */
  readonly issuedAt?: number;
  readonly days?: number;
  /** Seconds since 1970. */
  readonly licenseEnd?: number;
  readonly services?: readonly string[];
  readonly entitlements?: readonly string[] | undefined;
  /** The certificate ends with the lease. */
  readonly leaseSeconds?: number | undefined;
}

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

  certificate({
    product = PRODUCT,
    fingerprint = FINGERPRINT,
    licenseId = LICENSE_ID,
    issuedAt = NOW,
    days = 7,
    licenseEnd = NOW + 365 * DAY,
    services = ['Hosting'],
    entitlements,
    leaseSeconds,
  }: Content = {}): string {
    const payload = {
      ...{ iss: this.id, aud: product, sub: licenseId, jti: randomUUID() },
      ...{ iat: issuedAt, exp: issuedAt + (leaseSeconds ?? days * DAY) },
      machine: hash(`license-certificate:v1\n${this.id}\n${licenseId}\n${fingerprint}`),
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
