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
const claims = ({ token }: Stolen) => jwt.decode<{ readonly iat: number }>(token);
const issuedAt = (stolen: Stolen) => claims(stolen).iat;

const RS256 = { privateKey: rsa.privateKey, algorithm: 'RS256' } as const;

/** The genuine token with some claims changed, signed anew; undefined leaves one out. */
export function signAnew(
  stolen: Stolen,
  changed: object = {},
  options: JwtSignOptions = {},
): string {
  const payload = JSON.parse(JSON.stringify({ ...claims(stolen), ...changed })) as object;
  return jwt.sign(payload, { secret: stolen.secret, algorithm: 'HS256', ...options });
}

/** Changes of the claims that a token signed with the right secret must not have; undefined leaves one out. */
const WRONG_CLAIMS: readonly [string, (issued: number) => object][] = [
  ['another issuer', () => ({ iss: 'someone' })],
  ['no issuer', () => ({ iss: undefined })],
  ['another audience', () => ({ aud: 'someone' })],
  ['no audience', () => ({ aud: undefined })],
  ['another type', () => ({ typ: 'refresh' })],
  ['no type', () => ({ typ: undefined })],
  ['no user', () => ({ sub: undefined })],
  ['no account', () => ({ acc: undefined })],
  ['no session', () => ({ sid: undefined })],
  ['a session that is an operator', () => ({ sid: { $ne: null } })],
  ['an end that has come', (issued) => ({ exp: issued })],
  ['no end', () => ({ exp: undefined })],
  ['a beginning that has not come', (issued) => ({ nbf: issued + 1 })],
];

/** Bearer tokens that must not open anything, of what was stolen and the parts of its access token. */
const WRONG_TOKENS: readonly [string, (stolen: Stolen, parts: string[]) => string][] = [
  ['no token', () => ''],
  ['what is no token', () => 'nonsense'],
  ['a token without a signature', (_, [head, body]) => `${head}.${body}.`],
  ['algorithm none', (_, [, body]) => `${header('none')}.${body}.`],
  ['another algorithm alone', (stolen) => signAnew(stolen, {}, { algorithm: 'HS512' })],
  ['another algorithm in the header', (_, [, body, end]) => `${header('HS512')}.${body}.${end}`],
  ['RS256 by a key of the attacker', (stolen) => jwt.sign(claims(stolen), RS256)],
  ['HS256 by a public key', (stolen) => signAnew(stolen, {}, { secret: rsa.publicKey })],
  [
    'a tampered payload',
    (stolen, [head, , end]) => `${head}.${encode({ ...claims(stolen), sub: 'x' })}.${end}`,
  ],
  ['a refresh token', ({ refreshToken }) => refreshToken],
];

/** A value of the header Authorization that must not open anything; undefined where it is absent. */
type Forgery = readonly [name: string, (stolen: Stolen) => string | undefined];

export const FORGERIES: readonly Forgery[] = [
  ['no header', () => undefined],
  ['an empty header', () => ''],
  ['another scheme', ({ token }) => `Basic ${token}`],
  ['a token without its scheme', ({ token }) => token],
  ...WRONG_TOKENS.map(([name, of]): Forgery => [
    name,
    (stolen) => `Bearer ${of(stolen, stolen.token.split('.'))}`,
  ]),
  ...WRONG_CLAIMS.map(([name, of]): Forgery => [
    name,
    (stolen) => `Bearer ${signAnew(stolen, of(issuedAt(stolen)))}`,
  ]),
];
