import { generateKeyPairSync } from 'node:crypto';
import { JwtService, type JwtSignOptions } from '@nestjs/jwt';

/** What an attacker has, or could guess, of a deployment. */
export interface Stolen {
  /** A genuine access token. */
  readonly token: string;
  readonly refreshToken: string;
  /** The secret that signs; a token signed with it is wrong in something else. */
  readonly secret: string;
}

const jwt = new JwtService();
const rsa = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
const header = (alg: string) => encode({ alg, typ: 'JWT' });
const part = ({ token }: Stolen, index: number) => token.split('.')[index] ?? '';
const claims = (stolen: Stolen) =>
  JSON.parse(Buffer.from(part(stolen, 1), 'base64url').toString()) as Record<string, unknown> & {
    readonly iat: number;
  };

/** The genuine token with some claims changed, signed anew; undefined leaves one out. */
export function signAnew(
  stolen: Stolen,
  changed: object = {},
  options: JwtSignOptions = {},
): string {
  const payload = JSON.parse(JSON.stringify({ ...claims(stolen), ...changed })) as object;
  return jwt.sign(payload, { secret: stolen.secret, algorithm: 'HS256', ...options });
}

/** Values of the header Authorization that must not open anything; undefined where it is absent. */
export const FORGERIES: readonly [string, (stolen: Stolen) => string | undefined][] = [
  ['no token', () => undefined],
  ['an empty header', () => ''],
  ['a scheme alone', () => 'Bearer '],
  ['another scheme', ({ token }) => `Basic ${token}`],
  ['a token without its scheme', ({ token }) => token],
  ['what is no token', () => 'Bearer nonsense'],
  ['a token without parts', () => 'Bearer ..'],
  ['a token whose parts are no JSON', () => 'Bearer e30.bm9uc2Vuc2U.AAAA'],
  ['a token without a signature', (stolen) => `Bearer ${part(stolen, 0)}.${part(stolen, 1)}.`],
  ['algorithm none', (stolen) => `Bearer ${header('none')}.${part(stolen, 1)}.`],
  ['algorithm None', (stolen) => `Bearer ${header('None')}.${part(stolen, 1)}.`],
  [
    'algorithm none with a signature',
    (stolen) => `Bearer ${header('none')}.${part(stolen, 1)}.AAAA`,
  ],
  [
    'another algorithm with the right secret',
    (stolen) => `Bearer ${signAnew(stolen, {}, { algorithm: 'HS512' })}`,
  ],
  [
    'an algorithm that the header claims alone',
    (stolen) => `Bearer ${header('HS512')}.${part(stolen, 1)}.${part(stolen, 2)}`,
  ],
  [
    'RS256 by a key of the attacker',
    (stolen) =>
      `Bearer ${jwt.sign(claims(stolen), { privateKey: rsa.privateKey, algorithm: 'RS256' })}`,
  ],
  [
    'HS256 by a public key as secret',
    (stolen) => `Bearer ${signAnew(stolen, {}, { secret: rsa.publicKey })}`,
  ],
  [
    "another deployment's secret",
    (stolen) => `Bearer ${signAnew(stolen, {}, { secret: 'another-key-for-signing-the-tokens' })}`,
  ],
  [
    'a tampered payload',
    (stolen) =>
      `Bearer ${part(stolen, 0)}.${encode({ ...claims(stolen), sub: 'x' })}.${part(stolen, 2)}`,
  ],
  ['another issuer', (stolen) => `Bearer ${signAnew(stolen, { iss: 'someone' })}`],
  ['no issuer', (stolen) => `Bearer ${signAnew(stolen, { iss: undefined })}`],
  ['another audience', (stolen) => `Bearer ${signAnew(stolen, { aud: 'someone' })}`],
  ['no audience', (stolen) => `Bearer ${signAnew(stolen, { aud: undefined })}`],
  ['another type', (stolen) => `Bearer ${signAnew(stolen, { typ: 'refresh' })}`],
  ['no type', (stolen) => `Bearer ${signAnew(stolen, { typ: undefined })}`],
  ['no user', (stolen) => `Bearer ${signAnew(stolen, { sub: undefined })}`],
  ['no account', (stolen) => `Bearer ${signAnew(stolen, { acc: undefined })}`],
  ['no session', (stolen) => `Bearer ${signAnew(stolen, { sid: undefined })}`],
  [
    'a session that is an operator',
    (stolen) => `Bearer ${signAnew(stolen, { sid: { $ne: null } })}`,
  ],
  ['an expired token', (stolen) => `Bearer ${signAnew(stolen, { exp: claims(stolen).iat })}`],
  ['a token that never expires', (stolen) => `Bearer ${signAnew(stolen, { exp: undefined })}`],
  [
    'a token whose time has not come',
    (stolen) => `Bearer ${signAnew(stolen, { nbf: claims(stolen).iat + 1 })}`,
  ],
  ['a refresh token', ({ refreshToken }) => `Bearer ${refreshToken}`],
];
