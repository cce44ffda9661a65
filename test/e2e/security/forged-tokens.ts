import { generateKeyPairSync } from 'node:crypto';
import { JwtService, type JwtSignOptions } from '@nestjs/jwt';

/** The parts of a deployment that an attacker has or could guess. */
interface Stolen {
  /** A genuine access token. */
  readonly token: string;
  readonly refreshToken: string;
  /** The signing secret; a token signed with it is wrong in some other way. */
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

const RS256 = { privateKey: rsa.privateKey, algorithm: 'RS256' } as const;

/** The genuine token with some claims changed, re-signed; undefined omits a claim. */
export function signAgain(
  stolen: Stolen,
  changed: object = {},
  options: JwtSignOptions = {},
): string {
  const payload = JSON.parse(JSON.stringify({ ...claims(stolen), ...changed })) as object;
  return jwt.sign(payload, { secret: stolen.secret, algorithm: 'HS256', ...options });
}

/** Claims that make a token signed with the right secret invalid; undefined omits a claim. */
const WRONG_CLAIMS: Readonly<Record<string, (issued: number) => object>> = {
  'another issuer': () => ({ iss: 'someone' }),
  'no issuer': () => ({ iss: undefined }),
  'another audience': () => ({ aud: 'someone' }),
  'no audience': () => ({ aud: undefined }),
  'another type': () => ({ typ: 'refresh' }),
  'no type': () => ({ typ: undefined }),
  'no user': () => ({ sub: undefined }),
  'no account': () => ({ acc: undefined }),
  'no session': () => ({ sid: undefined }),
  'a session that is an operator': () => ({ sid: { $ne: null } }),
  'an end that has come': (issued) => ({ exp: issued }),
  'no end': () => ({ exp: undefined }),
  'a beginning that has not come': (issued) => ({ nbf: issued + 1 }),
};

/** Values of the header Authorization, derived from stolen ones, that must not give access; undefined for an absent header. */
export function forgeriesOf(stolen: Stolen): [name: string, authorization: string | undefined][] {
  const { token, refreshToken } = stolen;
  const [head, body, end] = token.split('.');
  const tampered = encode({ ...claims(stolen), sub: 'x' });
  const tokens = {
    'no token': '',
    'not a token': 'nonsense',
    'a token without a signature': `${head}.${body}.`,
    'algorithm none': `${header('none')}.${body}.`,
    'another algorithm alone': signAgain(stolen, {}, { algorithm: 'HS512' }),
    'another algorithm in the header': `${header('HS512')}.${body}.${end}`,
    'RS256 by a key of the attacker': jwt.sign(claims(stolen), RS256),
    'HS256 by a public key': signAgain(stolen, {}, { secret: rsa.publicKey }),
    'a tampered payload': `${head}.${tampered}.${end}`,
    'a refresh token': refreshToken,
  };
  const wrong = Object.entries(WRONG_CLAIMS).map(([name, change]): [string, string] => [
    name,
    signAgain(stolen, change(claims(stolen).iat)),
  ]);
  return [
    ['no header', undefined],
    ['an empty header', ''],
    ['another scheme', `Basic ${token}`],
    ['a token without its scheme', token],
    ...[...Object.entries(tokens), ...wrong].map(([name, forged]): [string, string] => [
      name,
      `Bearer ${forged}`,
    ]),
  ];
}
