import { createHash, createPublicKey, verify } from 'node:crypto';
import type { SigningKeys } from '../developer.js';

/** `check` of a request, as computed by software that requests a certificate. */
export const checkOf = (product: string, fingerprint: string): string =>
  createHash('sha256')
    .update(`license-request:v1\n${product}\n${fingerprint}`)
    .digest('hex')
    .slice(0, 8);

/** The claims of a certificate used in tests. */
interface Claims {
  readonly iss: string;
  readonly aud: string;
  readonly sub: string;
  readonly iat: number;
  readonly exp: number;
}

/**
 * The `kid` and claims of a certificate, parsed by the documented format without any service code.
 *
 * @throws Error if the certificate is malformed, or not signed by one of the keys
 */
export function verifyCertificate(
  certificate: string,
  keys: SigningKeys,
): { kid: string; claims: Claims } {
  const { kid, payload } = verifyJws(certificate, 'license+jwt', keys);
  const claims = payload as Claims;
  expect(claims.iss).toBe(keys.issuer);
  return { kid, claims };
}

/** The `kid` and payload of a compact JWS of this `typ`, signed by one of the keys. */
export function verifyJws(certificate: string, typ: string, { current, next }: SigningKeys) {
  expect(certificate.length).toBeLessThanOrEqual(4096);
  const parts = certificate.split('.');
  expect(parts).toHaveLength(3);
  const [head, payload, signature] = parts.map((part) => Buffer.from(part, 'base64url'));
  expect([head, payload, signature].map((part) => part!.toString('base64url'))).toEqual(parts);

  const header = JSON.parse(String(head)) as { kid: string };
  const key = [current, next].find(({ x }) => thumbprint(x) === header.kid);
  expect(header).toEqual({ alg: 'EdDSA', typ, kid: key?.kid });
  const publicKey = createPublicKey({
    format: 'jwk',
    key: { kty: 'OKP', crv: 'Ed25519', x: key!.x },
  });
  const input = Buffer.from(certificate.slice(0, certificate.lastIndexOf('.')));
  expect(verify(null, input, publicKey, signature!)).toBe(true);

  return { kid: header.kid, payload: JSON.parse(String(payload)) as unknown };
}

/** The claim `machine` of a license for a machine. */
export const machineOf = ({ iss, sub }: Pick<Claims, 'iss' | 'sub'>, fingerprint: string): string =>
  createHash('sha256')
    .update(`license-certificate:v1\n${iss}\n${sub}\n${fingerprint}`, 'utf8')
    .digest('base64url');

/** The RFC 7638 thumbprint of a public key. */
export const thumbprint = (x: string): string =>
  createHash('sha256').update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest('base64url');

/** Seconds since 1970, rounded down. */
export const secondsOf = (time: string): number => Math.floor(Date.parse(time) / 1000);
