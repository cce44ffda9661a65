// Certificates for the test vectors, and functions that each break one in a single way.
import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';

export const ISSUER = '65f1c2ab7e4a900123456789';
export const PRODUCT = 'com.example.web-shop';
export const FINGERPRINT = '0b6f3f3e2c1d4a58917e6c5d4b3a29180f1e2d3c4b5a69788796a5b4c3d2e1f0';
const LICENSE_ID = '665f1c2ab7e4a90012345678';
export const DAY = 86_400;
export const NOW = Date.parse('2027-01-15T08:00:00Z') / 1000;
export const LICENSE_END = Date.parse('2027-06-30T10:15:00Z') / 1000;

export const CURRENT = ed25519('current');
export const NEXT = ed25519('next');
export const FOREIGN = ed25519('another issuer');

export const HEADER = { alg: 'EdDSA', typ: 'license+jwt', kid: thumbprint(CURRENT.jwk) };
export const CLAIMS = {
  iss: ISSUER,
  aud: PRODUCT,
  sub: LICENSE_ID,
  jti: '4f7c1f5e-6f0b-4a51-9c53-1c2d3e4f5a6b',
  iat: NOW - 3600,
  exp: NOW - 3600 + 7 * DAY,
  machine: machine(),
  license: {
    expiresAt: '2027-06-30T10:15:00.000Z',
    activatedAt: '2026-12-30T10:15:00.000Z',
    duration: 6,
    services: ['Hosting', 'Maintenance'],
  },
};
export const PRISTINE = issue();
export const [HEADER_PART, PAYLOAD_PART, SIGNATURE_PART] = PRISTINE.split('.');

/** A certificate with one change. Text or bytes as header or payload are used unchanged. */
export function issue({ header = HEADER, payload = CLAIMS, key = CURRENT, signature } = {}) {
  const input = `${encode(header)}.${encode(payload)}`;
  const bytes = signature?.(input) ?? sign(null, Buffer.from(input), key.privateKey);
  return `${input}.${bytes.toString('base64url')}`;
}

/** The vector's member `certificate`, as created by issue(); the next four are too. */
export function issued(changes) {
  return { certificate: issue(changes) };
}

export function header(members) {
  return issued({ header: { ...HEADER, ...members } });
}

export function claims(changed) {
  return issued({ payload: { ...CLAIMS, ...changed } });
}

export function license(changed) {
  return claims({ license: { ...CLAIMS.license, ...changed } });
}

export function signature(change) {
  const bytes = Buffer.from(SIGNATURE_PART, 'base64url');
  return issued({ signature: () => change(bytes) });
}

export function signedBy(key) {
  return { header: { ...HEADER, kid: thumbprint(key.jwk) }, key };
}

/** The payload with claims as JSON texts, for values that JSON.stringify cannot write. */
export function payload(texts) {
  const members = Object.entries(CLAIMS).map(
    ([name, value]) => `"${name}":${texts[name] ?? JSON.stringify(value)}`,
  );
  return `{${members.join(',')}}`;
}

/** The header as JSON text, with another text instead of the name `"alg"`. */
export function headerText(name) {
  return JSON.stringify(HEADER).replace('"alg"', name);
}

/** The vector's member `certificate` with a claim repeated at the end of the payload. */
export function repeated(claim) {
  return issued({ payload: `${JSON.stringify(CLAIMS).slice(0, -1)},${claim}}` });
}

/** A valid certificate with exactly this number of characters; spaces in the header pad it. */
export function ofLength(length) {
  for (let spaces = 0; ; spaces++) {
    const header = JSON.stringify(HEADER) + ' '.repeat(spaces);
    const shortest = issue({ header, payload: { ...CLAIMS, note: '' } });
    const note = 'x'.repeat(Math.floor(((length - shortest.length) * 3) / 4));
    for (const added of [note, `${note}x`]) {
      const certificate = issue({ header, payload: { ...CLAIMS, note: added } });
      if (certificate.length === length) return certificate;
    }
  }
}

export function withUnusedBits() {
  const jti = ['a', 'ab', 'abc'].find(
    (text) => JSON.stringify({ ...CLAIMS, jti: text }).length % 3,
  );
  const [head, body, tail] = issue({ payload: { ...CLAIMS, jti } }).split('.');
  return `${head}.${body.slice(0, -1)}${nextCharacter(body.at(-1))}.${tail}`;
}

/** The next character of the alphabet. A decoder that drops unused bits, which are zero here, reads the same bytes. */
export function nextCharacter(character) {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return alphabet[alphabet.indexOf(character) + 1];
}

/** The signature with the group order added to S: it satisfies the equation, but RFC 8032 rejects it. */
export function withOrderAdded(bytes) {
  const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
  const s = BigInt(`0x${Buffer.from(bytes.subarray(32)).reverse().toString('hex')}`);
  const sum = Buffer.from((s + ORDER).toString(16).padStart(64, '0'), 'hex').reverse();
  return Buffer.concat([bytes.subarray(0, 32), sum]);
}

export function machine({ iss = ISSUER, sub = LICENSE_ID, fingerprint = FINGERPRINT } = {}) {
  const text = `license-certificate:v1\n${iss}\n${sub}\n${fingerprint}`;
  return createHash('sha256').update(text).digest('base64url');
}

/** RFC 7638: its members in this order, without whitespace. */
export function thumbprint({ crv, kty, x }) {
  return createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url');
}

function ed25519(name) {
  const privateKey = keyOf('302e020100300506032b657004220420', 32, name);
  const { kty, crv, x } = createPublicKey(privateKey).export({ format: 'jwk' });
  return { privateKey, jwk: { kty, crv, x } };
}

export function ed448() {
  return keyOf('3047020100300506032b6571043b0439', 57, 'another curve');
}

/** A private key derived from a name; the prefix is the rest of its PKCS #8. */
function keyOf(prefix, length, name) {
  const seed = createHash('shake256', { outputLength: length }).update(
    `license-vectors:v1\n${name}`,
  );
  const der = Buffer.concat([Buffer.from(prefix, 'hex'), seed.digest()]);
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
}

export function encode(part) {
  const isRaw = typeof part === 'string' || Buffer.isBuffer(part);
  return Buffer.from(isRaw ? part : JSON.stringify(part)).toString('base64url');
}
