/** A user of the service with an account and a session, the starting point of a test. */
export interface Developer {
  readonly _id: string;
  readonly email: string;
  readonly token: string;
}

export interface LoggedInDeveloper extends Developer {
  readonly refreshToken: string;
}

export const PASSWORD = 'correct horse battery';
export const NEW_PASSWORD = 'nine loud kettles whistle';

/** Fingerprints of machines. */
export const LAPTOP = 'laptop-of-the-customer';
export const DESKTOP = 'desktop-of-the-customer';

/** An id that no record has. */
export const NOBODYS = '0123456789abcdef01234567';

/** A well-formed license key that no license has. */
export const unknownKey = (number = 0): string =>
  `LIC-${'0'.repeat(24)}-AAAA-BBBB-${String(number).padStart(4, '0')}`;

/** A license key as it may arrive from a customer: retyped, with quotes and dashes of a word processor, and a line break. */
export function pasted(key: string): string {
  const retyped = key.slice(-14).replaceAll('0', 'o').replaceAll('1', 'l');
  return `\u201C${key.slice(0, -14)}\n${retyped}\u201D.`.replaceAll('-', '\u2013');
}

/** The claims of an access token or a certificate. */
export const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(String(token.split('.')[1]), 'base64url').toString()) as { sid: string };

export interface CreatedLicense {
  readonly _id: string;
  readonly key: string;
  readonly project: string;
  readonly client: string;
  readonly expiresAt: string;
}

/** A public signing key, as `GET /signing-keys` returns it. */
interface Jwk {
  readonly kid: string;
  readonly x: string;
}

/** The public keys that software embeds. */
export interface SigningKeys {
  readonly issuer: string;
  readonly current: Jwk;
  readonly next: Jwk;
}
