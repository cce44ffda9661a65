// Writes the test vectors of certificates: node sdk/vectors/generate.mjs > sdk/vectors.json
import { createHmac, sign } from 'node:crypto';
import {
  CLAIMS,
  CURRENT,
  DAY,
  FINGERPRINT,
  FOREIGN,
  HEADER,
  HEADER_PART,
  ISSUER,
  LICENSE_END,
  NEXT,
  PAYLOAD_PART,
  PRISTINE,
  PRODUCT,
  SIGNATURE_PART,
  claims,
  ed448,
  encode,
  header,
  headerText,
  issue,
  issued,
  license,
  machine,
  nextCharacter,
  ofLength,
  payload,
  repeated,
  signature,
  signedBy,
  withOrderAdded,
  withUnusedBits,
} from './certificates.mjs';
import { addCircumstances } from './circumstances.mjs';
import { addParsers } from './parsers.mjs';
import { addTermsAndLeases } from './terms-and-leases.mjs';
import { addTwoCertificates } from './two-certificates.mjs';
import { addUpdatesAndFacts } from './updates-and-facts.mjs';
import { accept, reject, vectors } from './vector-list.mjs';

accept('a certificate as the service issues it');
accept('signed with the next key', issued(signedBy(NEXT)));
accept(
  'header members in another order, with whitespace',
  issued({
    header: `{ "kid" : "${HEADER.kid}",\n "typ":\t"license+jwt", "alg"\n: "EdDSA" }`,
  }),
);
accept('a header member whose name is escaped', issued({ header: headerText('"\\u0061lg"') }));
accept('a claim that verifiers do not know', claims({ edition: { name: 'pro' } }));
accept(
  'a repeated claim whose last value is valid',
  issued({ payload: JSON.stringify(CLAIMS).replace('{', '{"exp":0,') }),
);
accept(
  'a repeated member of license whose last value is valid',
  issued({ payload: JSON.stringify(CLAIMS).replace('"license":{', '"license":{"services":0,') }),
);
accept('a license without services', license({ services: [] }));
accept('iat and exp with a fraction of zero and an exponent', {
  certificate: issue({ payload: payload({ iat: '1.8e9', exp: '1900000000.0' }) }),
  now: 1_800_000_000,
});
accept('iat of zero', claims({ iat: 0 }));
accept('exp of 2^53 - 1', claims({ exp: Number.MAX_SAFE_INTEGER }));
accept('4,096 characters', { certificate: ofLength(4096) });

reject('damaged', 'format', {
  'an empty text': { certificate: '' },
  '4,097 characters': { certificate: ofLength(4097) },
  'two parts': { certificate: `${HEADER_PART}.${PAYLOAD_PART}` },
  'four parts': { certificate: `${PRISTINE}.${SIGNATURE_PART}` },
  'a trailing dot': { certificate: `${PRISTINE}.` },
  'a leading space': { certificate: ` ${PRISTINE}` },
  'a trailing line feed': { certificate: `${PRISTINE}\n` },
  'a trailing NUL': { certificate: `${PRISTINE}\0` },
  'surrounding quotation marks': { certificate: `"${PRISTINE}"` },
  'a space within the payload': { certificate: PRISTINE.replace('.', '. ') },
  'padding after the signature': { certificate: `${PRISTINE}==` },
  'padding after the header': { certificate: PRISTINE.replace('.', '=.') },
  'the alphabet of base64': {
    certificate: PRISTINE.replaceAll('-', '+').replaceAll('_', '/'),
  },
  'other unused bits at the end of the signature': {
    certificate: PRISTINE.slice(0, -1) + nextCharacter(PRISTINE.at(-1)),
  },
  'other unused bits at the end of the payload': { certificate: withUnusedBits() },
  'a part of an impossible length': {
    certificate: `${HEADER_PART}.${PAYLOAD_PART}.${SIGNATURE_PART}AAA`,
  },
  'a header that is not JSON': issued({ header: '{"alg":"EdDSA"' }),
  'an empty header': issued({ header: '' }),
  'a header of 2,000 brackets': issued({ header: '['.repeat(2000) }),
  'a payload that is not JSON': issued({ payload: 'com.example.web-shop' }),
  'an empty payload': issued({ payload: '' }),
  'a payload with a byte order mark': issued({ payload: `\uFEFF${JSON.stringify(CLAIMS)}` }),
  'a payload that is not UTF-8': issued({
    payload: Buffer.from(payload({ jti: '"\xFF"' }), 'latin1'),
  }),
  'a payload in UTF-16': issued({ payload: Buffer.from(JSON.stringify(CLAIMS), 'utf16le') }),
  'exp NaN': issued({ payload: payload({ exp: 'NaN' }) }),
  'exp Infinity': issued({ payload: payload({ exp: 'Infinity' }) }),
});

reject('damaged', 'header', {
  'alg none without a signature': {
    certificate: `${encode({ ...HEADER, alg: 'none' })}.${PAYLOAD_PART}.`,
  },
  'alg none with a signature': header({ alg: 'none' }),
  'alg HS256 with the public key as secret': issued({
    header: { ...HEADER, alg: 'HS256' },
    signature: (input) =>
      createHmac('sha256', Buffer.from(CURRENT.jwk.x, 'base64url')).update(input).digest(),
  }),
  'alg in another case': header({ alg: 'eddsa' }),
  'alg Ed25519': header({ alg: 'Ed25519' }),
  'alg as an array': header({ alg: ['EdDSA'] }),
  'no alg': header({ alg: undefined }),
  'typ in another case': header({ typ: 'License+JWT' }),
  'typ JWT': header({ typ: 'JWT' }),
  'typ as a media type': header({ typ: 'application/license+jwt' }),
  'no typ': header({ typ: undefined }),
  'no kid': header({ kid: undefined }),
  'a fourth header member': header({ cty: 'json' }),
  'a public key in the header': header({ jwk: CURRENT.jwk }),
  crit: header({ crit: ['exp'] }),
  'an unencoded payload (b64 false)': header({ b64: false, crit: ['b64'] }),
  'a header member twice': issued({
    header: JSON.stringify(HEADER).replace('{', '{"alg":"none",'),
  }),
  'the same header member twice': issued({
    header: JSON.stringify(HEADER).replace('{', '{"alg":"EdDSA",'),
  }),
  'a header member twice, once escaped': issued({
    header: headerText('"\\u0061lg":"none","alg"'),
  }),
  'a header that is an array': issued({ header: Object.values(HEADER) }),
  'a header that is null': issued({ header: 'null' }),
  'a header that is a text': issued({ header: '"EdDSA"' }),
});

reject('damaged', 'key', {
  "another issuer's key": issued(signedBy(FOREIGN)),
  'a key that is no longer built in': { keys: [NEXT.jwk] },
  'a kid that looks like a path': header({ kid: '../../../../dev/null' }),
  'a kid that looks like an address': header({ kid: 'https://attacker.example/key.json' }),
  'a kid that names a property of objects': header({ kid: '__proto__' }),
  'an empty kid': header({ kid: '' }),
  'kid as a number': header({ kid: 1 }),
  'kid as an array': header({ kid: [HEADER.kid] }),
  'kid as an object': header({ kid: { alg: 'EdDSA', kid: HEADER.kid } }),
  'kid in another case': header({ kid: HEADER.kid.toLowerCase() }),
  'kid with an escaped quotation mark': issued({
    header: JSON.stringify(HEADER).replace(HEADER.kid, '\\u0022:'),
  }),
  'kid with padding': header({ kid: `${HEADER.kid}=` }),
  'kid as an object that repeats a name': issued({
    header: JSON.stringify(HEADER).replace(`"${HEADER.kid}"`, '{"a":1,"a":2}'),
  }),
});

reject('damaged', 'signature', {
  "signed with another issuer's key, the kid of the built-in one": issued({ key: FOREIGN }),
  'signed with the next key, the kid of the current one': issued({ key: NEXT }),
  'a changed claim': {
    certificate: `${HEADER_PART}.${encode({ ...CLAIMS, exp: CLAIMS.exp + DAY })}.${SIGNATURE_PART}`,
  },
  'whitespace added to the header': {
    certificate: `${encode(JSON.stringify(HEADER).replace(',', ', '))}.${PAYLOAD_PART}.${SIGNATURE_PART}`,
  },
  'the signature of another certificate': {
    certificate: `${HEADER_PART}.${PAYLOAD_PART}.${issue({ payload: { ...CLAIMS, jti: 'another' } }).split('.')[2]}`,
  },
  'an empty signature': { certificate: `${HEADER_PART}.${PAYLOAD_PART}.` },
  'a signature of 63 bytes': signature((bytes) => bytes.subarray(0, 63)),
  'a signature of 65 bytes': signature((bytes) => Buffer.concat([bytes, Buffer.alloc(1)])),
  'a signature of another curve (Ed448)': issued({
    signature: (input) => sign(null, Buffer.from(input), ed448()),
  }),
  'a signature of zeros': signature(() => Buffer.alloc(64)),
  'R of small order, S zero': signature(() => Buffer.concat([Buffer.from([1]), Buffer.alloc(63)])),
  'S not below the group order': signature(withOrderAdded),
  'one bit of R changed': signature((bytes) => Buffer.from(bytes.with(0, bytes[0] ^ 1))),
  'one bit of S changed': signature((bytes) => Buffer.from(bytes.with(32, bytes[32] ^ 1))),
  'the payload alone was signed': issued({
    signature: () => sign(null, Buffer.from(PAYLOAD_PART), CURRENT.privateKey),
  }),
});

reject('damaged', 'issuer', {
  'another issuer': claims({ iss: '65f1c2ab7e4a900123456780' }),
  'an issuer in another case': claims({ iss: ISSUER.toUpperCase() }),
  'no issuer': claims({ iss: undefined }),
  'the issuer as an array': claims({ iss: [ISSUER] }),
  'a repeated issuer whose last value is different': repeated('"iss":"another"'),
  'the issuer before the product': claims({ iss: 'another', aud: 'another' }),
});

reject('damaged', 'claims', {
  'a payload that is an array': issued({ payload: [CLAIMS] }),
  'a payload that is null': issued({ payload: 'null' }),
  'a payload that is a text': issued({ payload: '"valid"' }),
  'a payload that is a number': issued({ payload: '1' }),
  'aud as an array': claims({ aud: [PRODUCT] }),
  'no aud': claims({ aud: undefined }),
  'aud null': claims({ aud: null }),
  'sub as a number': claims({ sub: 665 }),
  'no sub': claims({ sub: undefined }),
  'no jti': claims({ jti: undefined }),
  'jti as a number': claims({ jti: 1 }),
  'no machine': claims({ machine: undefined }),
  'machine as an array': claims({ machine: [CLAIMS.machine] }),
  'exp as text': claims({ exp: String(CLAIMS.exp) }),
  'exp as boolean': claims({ exp: true }),
  'exp with a fraction': claims({ exp: CLAIMS.exp + 0.5 }),
  'exp null': claims({ exp: null }),
  'exp as an array': claims({ exp: [CLAIMS.exp] }),
  'no exp': claims({ exp: undefined }),
  'exp below zero': claims({ exp: -1 }),
  'exp of 2^53': claims({ exp: 2 ** 53 }),
  'exp beyond every number': issued({ payload: payload({ exp: '1e400' }) }),
  'iat as text': claims({ iat: String(CLAIMS.iat) }),
  'iat as boolean': claims({ iat: false }),
  'iat with a fraction': claims({ iat: CLAIMS.iat + 0.5 }),
  'iat below zero': claims({ iat: -1 }),
  'iat of 2^53': claims({ iat: 2 ** 53 }),
  'no iat': claims({ iat: undefined }),
  'no license': claims({ license: undefined }),
  'license as an array': claims({ license: [CLAIMS.license] }),
  'no end of the license': license({ expiresAt: undefined }),
  'an end of the license in seconds': license({ expiresAt: LICENSE_END }),
  'an end of the license without a time zone': license({ expiresAt: '2027-06-30T10:15:00.000' }),
  'an end of the license on a day that does not exist': license({
    expiresAt: '2027-02-30T10:15:00.000Z',
  }),
  'an end of the license in a year of six digits': license({
    expiresAt: '+012027-06-30T10:15:00.000Z',
  }),
  'an end of the license at 24 hours': license({ expiresAt: '2027-06-30T24:00:00.000Z' }),
  'an end of the license in microseconds': license({ expiresAt: '2027-06-30T10:15:00.000000Z' }),
  'services as a text': license({ services: 'Hosting' }),
  'services that are not texts': license({ services: [1] }),
  'claims before the product': claims({ aud: 'another', jti: undefined }),
});

reject('other_product', 'product', {
  'another product': claims({ aud: 'com.example.cheap-shop' }),
  'the product in another case': claims({ aud: 'Com.Example.Web-Shop' }),
  'the product with a space': claims({ aud: `${PRODUCT} ` }),
  'an empty product': claims({ aud: '' }),
  'the product before the machine': {
    ...claims({ aud: 'com.example.cheap-shop' }),
    fingerprint: FINGERPRINT.toUpperCase(),
  },
});

reject('other_machine', 'machine', {
  'another fingerprint': { fingerprint: `1${FINGERPRINT.slice(1)}` },
  'the fingerprint in another case': { fingerprint: FINGERPRINT.toUpperCase() },
  'a machine hashed with another license': claims({ machine: machine({ sub: 'another' }) }),
  'a machine hashed with another issuer': claims({ machine: machine({ iss: 'another' }) }),
  'a machine with padding': claims({ machine: `${CLAIMS.machine}=` }),
  'an empty machine': claims({ machine: '' }),
  'the machine before the stored rejection': {
    fingerprint: FINGERPRINT.toUpperCase(),
    rejection: 'revoked',
  },
});

addCircumstances();
addTermsAndLeases();
addUpdatesAndFacts();
addTwoCertificates();
addParsers();

// Lists of texts stay on one line, as this repository's formatter writes them.
const json = JSON.stringify(vectors, null, 2).replaceAll(
  /\[\s+("[^[\]]*")\s+\]/g,
  (_list, texts) => `[${texts.replaceAll(/,\s+/g, ', ')}]`,
);
process.stdout.write(`${json}\n`);
