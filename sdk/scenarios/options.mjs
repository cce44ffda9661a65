// Options: the constructor fails, and its message names the option.
import { CURRENT, NEXT } from '../vectors/certificates.mjs';
import { restart, scenario } from './scenario-list.mjs';

const { jwk } = CURRENT;
const LONG = 'a'.repeat(16);

/** Only values that every language can express. */
const WRONG = {
  service: [
    ...['', 'licenses.example', 'ftp://licenses.example', 'http://licenses.example'],
    ...['http://localhost.example', 'http://127.0.0.1.example', 'http://127.0.0.2', 'http://127.1'],
    ...['http://192.168.0.1', 'ftp://localhost', 'https://licenses.example\\path'],
    ...['https://licenses.example/#top'],
    ...['http://%6cocalhost', 'https://', 'https:///path', 'https:licenses.example'],
    ...['https:\\\\licenses.example', 'https://user@licenses.example'],
    ...['https://:password@licenses.example', 'https://licenses.example/@path'],
    ...['https://licenses.example?', 'https://licenses.example?tenant=1'],
    ...['https://licenses.example#', 'https://licenses.example:', 'https://licenses.example:port'],
    ...['https://licenses.example:0', 'https://licenses.example:65536', 'https://[::1'],
    ...[' https://licenses.example', 'https://licenses.example ', 'https://licenses.example\n'],
    ...['https://[::1::2]', 'https://[1:2:3]', 'https://[12345::1]', 'https://[:::]', 'https://[]'],
    ...['https://[::1.2.3]', 'https://[1.2.3.4]', 'https://[1:2:3:4:5:6:7:8:9]', 'https://[.]'],
    ...['https://[::256.0.0.1]', 'https://[fe80::1%25eth0]', 'https://[1:2:3:4:5:6:7:8::]'],
    ...['https://licenses.\texample', 'https://licenses.example/a b', 'https://lizenzen.exämple'],
  ],
  issuer: ['', 'a b', 'a\nb', 'ä', 'a'.repeat(129)],
  product: ['', '.shop', 'shop-', 'web shop', 'shop\n', 'shöp', 'a'.repeat(65)],
  folder: ['', 'state', './state', '/state\0'],
  fingerprint: [
    ...['a'.repeat(15), 'a'.repeat(257), ` ${LONG}`, `${LONG} `, `${LONG}\n`, `${LONG}é`],
    `a\n${LONG}`,
  ],
  releasedAt: [
    ...['today', '2027-1-15', '27-01-15', '2027-02-29', '2027-04-31', '2027-13-01', '2027-00-10'],
    ...['0000-01-01', '2027-01-15T00:00:00Z', ' 2027-01-15', '2027-01-15\n', '2027/01/15'],
    ...['\uff12027-01-15', '+2027-01-15', '20270115', '2027-01-1\u0665'],
  ],
  timeout: [600_001],
  machineName: ['', 'a'.repeat(101), 'a\nb', 'a\u007f', 'a\u0085'],
};

const RIGHT = {
  service: [
    ...['https://licenses.example:8443/path/', 'HTTPS://licenses.example', 'https://192.0.2.1'],
    ...['https://[2001:db8::1]:8443/', 'http://localhost:3000', 'http://127.0.0.1:3000'],
    ...['http://[::1]:3000', 'https://[::ffff:192.0.2.1]', 'https://[1:2:3:4:5:6:7:8]'],
  ],
  product: ['a', 'a'.repeat(64)],
  fingerprint: [LONG, 'a'.repeat(256), `a${' '.repeat(254)}~`],
  machineName: ['a', '💻'.repeat(100)],
  releasedAt: ['2027-01-15', '2028-02-29', '0001-01-01', '9999-12-31'],
  timeout: [1, 600_000],
};

/** `x` for a number, little-endian; `sign` is the sign of the x coordinate. */
const xOf = (y, sign = 0n) =>
  Buffer.from((y | (sign << 255n)).toString(16).padStart(64, '0'), 'hex')
    .reverse()
    .toString('base64url');
const P = 2n ** 255n - 19n;
const Y8 = 0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n;
const WRONG_POINTS = {
  'that is the identity': xOf(1n),
  'that is the identity, with a sign': xOf(1n, 1n),
  'of order 2': xOf(P - 1n),
  'of order 4': xOf(0n),
  'of order 4, with a sign': xOf(0n, 1n),
  'of order 8': xOf(Y8),
  'of order 8, with a sign': xOf(Y8, 1n),
  'of order 8, of the other two': xOf(P - Y8),
  'that is not on the curve': xOf(2n),
  'that is not below 2^255 - 19': xOf(P + 3n),
  'that is the identity, not below 2^255 - 19': xOf(P + 1n),
  'of all ones': xOf(2n ** 255n - 1n, 1n),
};

const WRONG_KEYS = {
  'without members': {},
  'that is private': { ...jwk, d: 'A'.repeat(43) },
  'with another kty': { ...jwk, kty: 'EC' },
  'of another curve': { ...jwk, crv: 'X25519' },
  'with an empty x': { ...jwk, x: '' },
  'with an x of 31 bytes': { ...jwk, x: jwk.x.slice(0, 42) },
  'with an x of 35 bytes': { ...jwk, x: `${jwk.x}AAAA` },
  'with padding': { ...jwk, x: `${jwk.x}=` },
  'with other unused bits': { ...jwk, x: `${jwk.x.slice(0, -1)}B` },
  'with the alphabet of base64': { ...jwk, x: `${'+'.repeat(42)}A` },
  'that is already in the list': NEXT.jwk,
};

export function addOptions() {
  for (const [name, values] of Object.entries(WRONG)) {
    scenario(
      `the option ${name} is rejected by name`,
      {},
      ...values.map((value) => restart({ [name]: value }, wrong(name))),
    );
  }
  for (const [name, values] of Object.entries(RIGHT)) {
    scenario(
      `the option ${name} is accepted in its full range`,
      {},
      ...values.map((value) => restart({ [name]: value })),
    );
  }
  scenario('the option keys needs a key', {}, restart({ keys: [] }, wrong('keys')));
  const points = Object.entries(WRONG_POINTS).map(([name, x]) => [name, { ...jwk, x }]);
  for (const [name, key] of [...Object.entries(WRONG_KEYS), ...points]) {
    scenario(
      `a key ${name} is rejected with its position`,
      {},
      restart({ keys: [NEXT.jwk, key] }, wrong('keys[1]')),
    );
  }
  scenario(
    'a key may have further members',
    {},
    restart({ keys: [{ ...jwk, kid: 'anything', use: 'sig', alg: 'EdDSA' }] }),
  );
}

/** The driver reads the message up to the first space, without underscores and in lower case. */
function wrong(option) {
  return { throws: { code: 'option', option } };
}
