import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { isSigningPoint } from './edwards-point.js';

/** A public signing key as returned by `GET /signing-keys`; other members are ignored. */
export interface PublicJwk {
  readonly kty: string;
  readonly crv: string;
  readonly x: string;
  readonly [member: string]: unknown;
}

/** @internal Public keys by their `kid`, which is computed from the key (RFC 7638). */
export type SigningKeys = ReadonlyMap<string, KeyObject>;

/**
 * @internal
 * @throws Error that says which key is wrong and why
 */
export function importSigningKeys(jwks: unknown): SigningKeys {
  if (!Array.isArray(jwks) || jwks.length === 0) {
    throw new Error('keys must be a list of at least one public JWK.');
  }
  const keys = new Map<string, KeyObject>();
  for (const [index, jwk] of jwks.entries()) {
    const name = `keys[${index}]`;
    const { kty, crv, x } = publicMembers(jwk, name);
    const kid = createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url');
    if (keys.has(kid)) throw new Error(`${name} repeats an earlier key.`);
    keys.set(kid, createPublicKey({ format: 'jwk', key: { kty, crv, x } }));
  }
  return keys;
}

function publicMembers(jwk: unknown, name: string) {
  const { kty, crv, x, d } = Object(jwk) as Record<string, unknown>;
  if (d !== undefined)
    throw new Error(`${name} is a private key. Never ship private keys, and rotate this one.`);
  const isEd25519 = kty === 'OKP' && crv === 'Ed25519' && typeof x === 'string';
  const bytes = Buffer.from(isEd25519 ? x : '', 'base64url');
  const isKey = isEd25519 && bytes.length === 32 && bytes.toString('base64url') === x;
  if (!isKey || !isSigningPoint(bytes)) {
    throw new Error(`${name} must be a public Ed25519 key as a JWK: kty OKP, crv Ed25519, x.`);
  }
  return { kty, crv, x };
}
