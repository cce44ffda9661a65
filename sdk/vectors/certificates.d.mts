export const ISSUER: string;
export const PRODUCT: string;
export const FINGERPRINT: string;
export const DAY: number;
export const NOW: number;

interface PublicJwk {
  readonly kty: string;
  readonly crv: string;
  readonly x: string;
  readonly [member: string]: unknown;
}

export interface SigningKey {
  /** A KeyObject of Node. */
  readonly privateKey: object;
  readonly jwk: PublicJwk;
}

export const CURRENT: SigningKey;
export const NEXT: SigningKey;
export const FOREIGN: SigningKey;

export const CLAIMS: {
  readonly iss: string;
  readonly aud: string;
  readonly sub: string;
  readonly license: object;
};

/** A certificate of the vectors' issuer, or a JWS of another header, payload or key. Texts are signed as they are. */
export function issue(changes: {
  readonly header?: string | object;
  readonly payload: string | object;
  readonly key?: Pick<SigningKey, 'privateKey'>;
}): string;

/** The header and the key of a certificate that another key signs. */
export function signedBy(key: SigningKey): { readonly header: object; readonly key: SigningKey };

/** Claim `machine` of the license on a machine. */
export function machine(of?: { readonly fingerprint: string }): string;

export function thumbprint(jwk: PublicJwk): string;
