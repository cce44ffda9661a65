// Inputs that parsers of JSON and times read differently.
import {
  CLAIMS,
  HEADER,
  claims,
  header,
  headerText,
  issued,
  license,
  payload,
} from './certificates.mjs';
import { accept, acceptWith, reject } from './vector-list.mjs';

const JSON_TEXT = JSON.stringify(CLAIMS);
const nested = (levels) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const further = (text) => issued({ payload: JSON_TEXT.replace('{', `{"further":${text},`) });
const ofPayload = (text) => issued({ payload: text });
const until = (expiresAt) => license({ expiresAt });

/** Marks the vectors that a server may accept. */
const portability = (cases) =>
  Object.fromEntries(
    Object.entries(cases).map(([name, changes]) => [name, { ...changes, isPortability: true }]),
  );

export function addParsers() {
  addJson();
  addNumbers();
  addTimes();
}

function addJson() {
  reject('damaged', 'format', {
    'text after the payload': ofPayload(`${JSON_TEXT} true`),
    'a second payload': ofPayload(JSON_TEXT + JSON_TEXT),
    'text after the header': issued({ header: `${JSON.stringify(HEADER)}}` }),
    'a comment in the payload': ofPayload(JSON_TEXT.replace('{', '{/* comment */')),
    'a line of comment in the payload': ofPayload(JSON_TEXT.replace('{', '{// comment\n')),
    'single quotes': ofPayload(JSON_TEXT.replaceAll('"', "'")),
    'a name without quotes': ofPayload(JSON_TEXT.replace('"iss"', 'iss')),
    'a trailing comma': ofPayload(JSON_TEXT.replace(/}$/, ',}')),
    'a trailing comma in a list': ofPayload(JSON_TEXT.replace('"]', '",]')),
    'a comma instead of a member': ofPayload(JSON_TEXT.replace('{', '{,')),
    'a further claim NaN': further('NaN'),
    'a further member of license -Infinity': ofPayload(
      JSON_TEXT.replace('"license":{', '"license":{"further":-Infinity,'),
    ),
    'a line feed within a text': ofPayload(JSON_TEXT.replace('Hosting', 'Host\ning')),
    'an escape that JSON does not have': ofPayload(JSON_TEXT.replace('Hosting', '\\x48osting')),
    'a form feed between members': ofPayload(JSON_TEXT.replace(',', ',\f')),
    'a header that is not UTF-8': issued({
      header: Buffer.from(headerText('"alg\xff":"","alg"'), 'latin1'),
    }),
    'a header with a byte order mark': issued({ header: `\uFEFF${JSON.stringify(HEADER)}` }),
  });
  // Languages differ here, so the format excludes them. No signature depends on it.
  reject(
    'damaged',
    'format',
    portability({
      '65 levels of nesting': further(nested(64)),
      'a lone surrogate': further('"\\ud800"'),
      'a lone low surrogate': further('"\\udc00"'),
      'two surrogates in the wrong order': further('"\\udcbb\\ud83d"'),
      'a lone surrogate in a name': ofPayload(JSON_TEXT.replace('{', '{"\\uDBFF":1,')),
      'a lone surrogate in a member that is repeated': ofPayload(
        JSON_TEXT.replace('{', '{"iss":"\\ud800",'),
      ),
      'a lone surrogate in the header': issued({ header: headerText('"\\ud800":1,"alg"') }),
    }),
  );
  accept('64 levels of nesting', further(nested(63)));
  accept('brackets within a text', further(`"${'[{'.repeat(70)}"`));
  accept('a pair of surrogates', further('"\\ud83d\\udcbb"'));
  accept('an escaped backslash before the letters of a surrogate', further('"\\\\ud800"'));
  accept('whitespace around the payload', ofPayload(` \t\r\n${JSON_TEXT}\n`));
  reject('damaged', 'header', {
    'Alg instead of alg': issued({ header: headerText('"Alg"') }),
    'Alg next to alg': header({ Alg: 'EdDSA' }),
    'KID instead of kid': header({ kid: undefined, KID: HEADER.kid }),
  });
  reject('damaged', 'signature', {
    'a payload that is not JSON, and a bad signature': issued({
      payload: 'com.example.web-shop',
      signature: () => Buffer.alloc(64),
    }),
  });
  reject('damaged', 'claims', {
    'EXP instead of exp': claims({ exp: undefined, EXP: CLAIMS.exp }),
    'a license without members': claims({ license: {} }),
    'license null': claims({ license: null }),
    'no services': license({ services: undefined }),
    'services null': license({ services: null }),
  });
}

function addNumbers() {
  const exp = (text) => issued({ payload: payload({ exp: text }) });
  acceptWith(
    { validUntil: 1_800_000_001 },
    {
      'a number with more digits than a double has': exp('1800000001.00000000000000000001'),
      'a number with an exponent below zero': exp('18000000010e-1'),
    },
  );
  accept('a further member beyond every double', further('1e99999999999999999999'));
  accept('a further integer of 500 digits', further(`1${'0'.repeat(499)}`));
  reject('damaged', 'claims', {
    'exp with a huge exponent': exp('1e99999999999999999999'),
    'exp of 500 digits': exp(`1${'0'.repeat(499)}`),
  });
  accept('iat of minus zero', issued({ payload: payload({ iat: '-0' }) }));
  accept('iat with a tiny fraction, which is zero as a double', {
    ...issued({ payload: payload({ iat: '1e-99999999999999999999' }) }),
  });
  reject('damaged', 'format', {
    'a number with a leading zero': exp('01'),
    'a number with a plus sign': exp('+1'),
    'a number that begins with a dot': exp('.5'),
    'a number that ends with a dot': exp('1.'),
    'a hexadecimal number': exp('0x7fffffff'),
    'a number with underscores': exp('1_900_000_000'),
  });
}

function addTimes() {
  reject('damaged', 'claims', {
    'an end of the license at second 60': until('2027-06-30T10:15:60.000Z'),
    'an end of the license at minute 60': until('2027-06-30T10:60:00.000Z'),
    'an end of the license with a comma': until('2027-06-30T10:15:00,000Z'),
    'an end of the license in the year 0': until('0000-01-01T00:00:00.000Z'),
    'an end of the license in the year -001': until('-001-06-30T10:15:00.000Z'),
    'an end of the license with an offset': until('2027-06-30T10:15:00+00:00'),
    'an end of the license in lower case': until('2027-06-30t10:15:00.000z'),
    'an end of the license with a space': until('2027-06-30 10:15:00.000Z'),
    'a license expiry written as a day of a week': until('2027-W26-3T10:15:00.000Z'),
    'an end of the license with a line feed': until('2027-06-30T10:15:00.00Z\n'),
    'an end of the license in other digits': until('２０２７-06-30T10:15:00.000Z'),
    'an end of the license in month 13': until('2027-13-30T10:15:00.000Z'),
    'an end of the license on 29 February of another year': until('2027-02-29T10:15:00.000Z'),
  });
  accept('an end of the license on 29 February', until('2028-02-29T23:59:59.999Z'));
  reject('expired', 'license_expired', {
    'an end of the license in the year 1': until('0001-01-01T00:00:00.000Z'),
  });
}
