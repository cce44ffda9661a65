import { generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { License } from '../../sdk/node/src/license.js';
import { Customer, ISSUER } from './customer.js';
import { Issuer } from './issuer.js';

const { options } = new Customer();
const { jwk } = ISSUER;
const bytes = Buffer.from(jwk.x, 'base64url');

const jwkOf = (key: { export(options: { format: 'jwk' }): JsonWebKey }) =>
  key.export({ format: 'jwk' });
const construct = (changes: object) => () => new License({ ...options, ...changes });

const WRONG: [string, ...unknown[]][] = [
  ['service', undefined, '', 'licenses.example', new URL('https://licenses.example')],
  ['service', 'ftp://licenses.example', 'http://licenses.example', 'http://localhost.example'],
  ['service', 'http://127.0.0.1.example', 'http://127.0.0.2', 'http://127.1', 'http://%6cocalhost'],
  ['service', 'https://', 'https:///path', 'https:licenses.example', 'https:\\\\licenses.example'],
  ['service', 'https://user@licenses.example', 'https://licenses.example/@path'],
  ['service', 'https://licenses.example?tenant=1', 'https://licenses.example#'],
  ['service', 'https://licenses.example:0', 'https://licenses.example:65536', 'https://[::1'],
  ['service', ' https://licenses.example', 'https://licenses.example\n'],
  ['service', 'https://licenses.example/a b', 'https://lizenzen.exämple'],
  ['issuer', undefined, '', 1, 'a b', 'a\nb', 'ä', 'a'.repeat(129)],
  ['product', undefined, '', '.shop', 'shop-', 'web shop', 'shöp', 'a'.repeat(65), 1],
  ['folder', undefined, '', 'state', './state', '/state\0', 1],
  ['fingerprint', 'a'.repeat(15), 'a'.repeat(257), ` ${'a'.repeat(16)}`, `${'a'.repeat(16)} `],
  ['fingerprint', `${'a'.repeat(16)}\n`, `${'a'.repeat(16)}é`, null, 1],
  ['timeout', 0, NaN, Infinity, 1.5, 600_001, '5000', null],
  ['machineName', '', 'a'.repeat(101), 'a\nb', 'a\u007f', 'a\u0085', 1, null],
  ['fingerPrint', 'a'.repeat(16)],
  ['toString', 1],
  ['keys', undefined, [], jwk, { current: jwk }, 'keys'],
];

const WRONG_KEYS: [string, unknown][] = [
  ['null', null],
  ['a private key', ISSUER.privateJwk],
  ['an x of 31 bytes', { ...jwk, x: bytes.subarray(1).toString('base64url') }],
  ['an x with padding', { ...jwk, x: `${jwk.x}=` }],
  ['an x in hexadecimal', { ...jwk, x: bytes.toString('hex') }],
  ['another kty', { ...jwk, kty: 'EC' }],
  ['a key of X25519', jwkOf(generateKeyPairSync('x25519').publicKey)],
  ['a key of P-256', jwkOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey)],
  ['the same key under another kid', { ...jwk, kid: 'next' }],
];

describe('the construction of a license', () => {
  it.each(WRONG)('names the option that is wrong: %s', (name, ...values) => {
    for (const value of values) expect(construct({ [name]: value })).toThrow(wrong(name));
  });

  it.each([undefined, null, 1])('fails for the options %p', (value) => {
    expect(() => new License(value as never)).toThrow(wrong('service'));
  });

  it.each(WRONG_KEYS)('names the key that is unusable: %s', (_name, key) => {
    expect(construct({ keys: [jwk, key] })).toThrow(wrong('keys[1]'));
  });

  it.each<object>([
    { service: 'https://licenses.example:8443/path' },
    { service: 'HTTPS://licenses.example/' },
    { service: 'https://[2001:db8::1]:8443/' },
    { service: 'http://localhost:3000' },
    { service: 'http://127.0.0.1:3000' },
    { service: 'http://[::1]:3000' },
    { product: 'a' },
    { product: 'a'.repeat(64) },
    { keys: [jwk, { ...new Issuer().jwk, kid: 'next', alg: 'EdDSA', use: 'sig' }] },
    { fingerprint: 'a'.repeat(16) },
    { fingerprint: `a${' '.repeat(254)}~` },
    { fingerprint: undefined, timeout: undefined, now: undefined },
    { machineName: 'a' },
    { machineName: '💻'.repeat(100) },
    { machineName: undefined },
    { timeout: 1 },
    { timeout: 600_000 },
  ])('accepts %j', (changes) => {
    expect(construct(changes)).not.toThrow();
  });
});

function wrong(name: string): Error {
  const pattern = new RegExp(`^${name.replace(/[[\]]/g, '\\$&')} .+\\.$`);
  const message = expect.stringMatching(pattern) as string;
  return expect.objectContaining({ name: 'LicenseError', code: 'option', message }) as Error;
}
