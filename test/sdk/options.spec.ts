import { generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { License } from '../../sdk/node/src/license.js';
import { Customer, ISSUER } from './customer.js';
import { Issuer } from './issuer.js';

const { options } = new Customer();

const jwkOf = (key: { export(options: { format: 'jwk' }): JsonWebKey }) =>
  key.export({ format: 'jwk' });
const construct = (changes: object) => () => new License({ ...options, ...changes });

describe('a wrong option fails at construction, and the error names it', () => {
  it.each([
    [undefined],
    [null],
    [''],
    ['licenses.example'],
    ['ftp://licenses.example'],
    ['http://licenses.example'],
    ['http://localhost.example'],
    ['http://127.0.0.1.example'],
    ['http://127.0.0.2'],
    ['http://192.168.0.1'],
    ['ftp://localhost'],
    ['https://'],
    ['https:///path'],
    ['https:licenses.example'],
    ['https:\\\\licenses.example'],
    ['https://licenses.example\\path'],
    ['https://user@licenses.example'],
    ['https://:password@licenses.example'],
    ['https://licenses.example/@path'],
    ['https://licenses.example?'],
    ['https://licenses.example?tenant=1'],
    ['https://licenses.example#'],
    ['https://licenses.example/#top'],
    ['https://licenses.example:'],
    ['https://licenses.example:port'],
    ['https://licenses.example:0'],
    ['https://licenses.example:65536'],
    ['https://[::1'],
    [' https://licenses.example'],
    ['https://licenses.example '],
    ['https://licenses.example\n'],
    ['https://licenses.\texample'],
    ['https://licenses.example/a b'],
    ['https://lizenzen.exämple'],
    ['http://127.1'],
    ['http://%6cocalhost'],
    [new URL('https://licenses.example')],
  ])('service %p', (service) => {
    expect(construct({ service })).toThrow(wrong('service'));
  });

  it.each([[undefined], [''], [1], ['a b'], ['a\nb'], ['ä'], ['a'.repeat(129)]])(
    'issuer %p',
    (issuer) => {
      expect(construct({ issuer })).toThrow(wrong('issuer'));
    },
  );

  it.each([[undefined], [''], ['.shop'], ['shop-'], ['web shop'], ['shöp'], ['a'.repeat(65)], [1]])(
    'product %p',
    (product) => {
      expect(construct({ product })).toThrow(wrong('product'));
    },
  );

  it.each([[undefined], [''], ['state'], ['./state'], ['/state\0'], [1]])('folder %p', (folder) => {
    expect(construct({ folder })).toThrow(wrong('folder'));
  });

  it.each([
    ['a'.repeat(15)],
    ['a'.repeat(257)],
    [` ${'a'.repeat(16)}`],
    [`${'a'.repeat(16)} `],
    [`${'a'.repeat(16)}\n`],
    [`${'a'.repeat(16)}é`],
    [`${'a'.repeat(8)}\t${'a'.repeat(8)}`],
    [null],
    [1],
  ])('fingerprint %p', (fingerprint) => {
    expect(construct({ fingerprint })).toThrow(wrong('fingerprint'));
  });

  it.each([[0], [-1], [NaN], [Infinity], [1.5], [600_001], ['5000'], [null]])(
    'timeout %p',
    (timeout) => {
      expect(construct({ timeout })).toThrow(wrong('timeout'));
    },
  );

  it('an option that does not exist', () => {
    expect(construct({ fingerPrint: 'a'.repeat(16) })).toThrow(wrong('fingerPrint'));
    expect(construct({ toString: 1 })).toThrow(wrong('toString'));
  });

  it.each([[undefined], [null], [1], [[]]])('options that are %p', (value) => {
    expect(() => new License(value as never)).toThrow(wrong('service'));
  });
});

describe('unusable keys fail at construction', () => {
  const { jwk } = ISSUER;
  const bytes = Buffer.from(jwk.x, 'base64url');
  const x = (value: Buffer) => ({ ...jwk, x: value.toString('base64url') });

  it.each([[undefined], [null], [[]], [jwk], [{ current: jwk }], ['keys']])('keys %p', (keys) => {
    expect(construct({ keys })).toThrow(wrong('keys'));
  });

  it('a private key, with the advice to rotate it', () => {
    expect(construct({ keys: [ISSUER.privateJwk] })).toThrow('rotate');
    expect(construct({ keys: [jwk, ISSUER.privateJwk] })).toThrow(wrong('keys[1]'));
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['text', JSON.stringify(jwk)],
    ['no x', { kty: 'OKP', crv: 'Ed25519' }],
    ['an x of 31 bytes', x(bytes.subarray(1))],
    ['an x of 33 bytes', x(Buffer.concat([bytes, Buffer.alloc(1)]))],
    ['an x with padding', { ...jwk, x: `${jwk.x}=` }],
    ['an x in hexadecimal', { ...jwk, x: bytes.toString('hex') }],
    ['another kty', { ...jwk, kty: 'EC' }],
    ['another case of crv', { ...jwk, crv: 'ed25519' }],
    ['a key of X25519', jwkOf(generateKeyPairSync('x25519').publicKey)],
    ['a key of Ed448', jwkOf(generateKeyPairSync('ed448').publicKey)],
    ['a key of P-256', jwkOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey)],
    ['a symmetric key', { kty: 'oct', k: jwk.x }],
  ])('%s', (_name, key) => {
    expect(construct({ keys: [key] })).toThrow(wrong('keys[0]'));
    expect(construct({ keys: [jwk, key] })).toThrow(wrong('keys[1]'));
  });

  it('the same key twice, under another kid too', () => {
    expect(construct({ keys: [jwk, jwk] })).toThrow(wrong('keys[1]'));
    expect(construct({ keys: [jwk, { ...jwk, kid: 'next' }] })).toThrow(wrong('keys[1]'));
  });
});

describe('options that are accepted', () => {
  it.each<object>([
    { service: 'https://licenses.example/' },
    { service: 'https://licenses.example:8443/path' },
    { service: 'HTTPS://licenses.example' },
    { service: 'https://192.0.2.1' },
    { service: 'https://[2001:db8::1]:8443/' },
    { service: 'http://localhost:3000' },
    { service: 'http://127.0.0.1:3000' },
    { service: 'http://[::1]:3000' },
    { product: 'a' },
    { product: 'a'.repeat(64) },
    { product: '665f1c2ab7e4a90012345678' },
    { keys: [ISSUER.jwk, new Issuer().jwk] },
    { keys: [{ ...ISSUER.jwk, kid: 'current', alg: 'EdDSA', use: 'sig' }] },
    { fingerprint: 'a'.repeat(16) },
    { fingerprint: `a${' '.repeat(254)}~` },
    { fingerprint: undefined, timeout: undefined, now: undefined },
    { timeout: 1 },
    { timeout: 600_000 },
  ])('%j', (changes) => {
    expect(construct(changes)).not.toThrow();
  });
});

function wrong(name: string): Error {
  const message = expect.stringMatching(
    new RegExp(`^${name.replace(/[[\]]/g, '\\$&')} .+\\.$`),
  ) as string;
  return expect.objectContaining({ name: 'LicenseError', code: 'option', message }) as Error;
}
