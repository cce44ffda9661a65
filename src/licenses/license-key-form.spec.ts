import {
  exactKey,
  foldPasted,
  isForeignKey,
  isShortened,
  lookupForm,
  meantKey,
  normalForm,
} from './license-key-form.js';

const KEY = 'LIC-665F1C2AB7E4A90012345678-7Q2M-X0AB-93KD';
const OF_LETTERS = KEY.replace('7Q2M-X0AB', 'OIL0-X1AB');

it.each([
  [KEY, KEY],
  [` ${KEY.toLowerCase()}\r\n`, KEY],
  [OF_LETTERS, OF_LETTERS],
  [KEY.replaceAll('-', ''), undefined],
  [`"${KEY}"`, undefined],
  ['nonsense', undefined],
])('the exact key of %j is %j', (text, key) => {
  expect(exactKey(text)).toBe(key);
});

describe('the key that a text means', () => {
  it.each([
    KEY,
    KEY.toLowerCase(),
    `\t${KEY}\u00A0`,
    `\uFEFF${KEY}`,
    `${KEY.slice(0, 30)}\r\n${KEY.slice(30)}`,
    `> ${KEY.slice(0, 29)}\n> ${KEY.slice(29)}`,
    ...[
      '',
      ' - ',
      '-\u00AD',
      '-\u200B',
      ...' \n\u0085\u2028\u2010\u2011\u2013\u2014\u2212\uFE63',
    ].map((dash) => KEY.replaceAll('-', dash)),
    ...['\u2066\u2069', '\u200E\u200F', '""', "''", '\u201C\u201D', '\u201E\u201C', '``', '<>'].map(
      ([before, after]) => `${before}${KEY}${after}`,
    ),
    `\u00AB\u00A0${KEY}\u00A0\u00BB`,
    `${KEY}.`,
    `"${KEY}."`,
    `"${KEY}".`,
    `${KEY}\u3002`,
    // Fullwidth forms.
    KEY.replace(/[!-~]/g, (each) => String.fromCharCode(each.charCodeAt(0) + 0xfee0)),
    KEY.replace('X0AB', 'XOAB'),
    KEY.replace('X0AB', 'xoab'),
  ])('is found in %j', (text) => {
    expect(meantKey(text)).toBe(KEY);
  });

  it('has digits instead of the letters O, I and L, only in its random groups', () => {
    expect(meantKey('oil1-665f1c2ab7e4a90012345678-oilO-iIlL-0011')).toBe(
      'OIL1-665F1C2AB7E4A90012345678-0110-1111-0011',
    );
  });

  it('is not found in a text longer than any mail that contains a key', () => {
    expect(meantKey([...KEY].join('\u200B\n> '))).toBe(KEY);
    expect(meantKey(KEY + ' '.repeat(512))).toBeUndefined();
  });

  it.each([
    KEY.slice(0, -1),
    `${KEY}A`,
    `${KEY} ${KEY}`,
    KEY.replace('LIC', ''),
    KEY.replace('LIC', 'A2345678901234567'),
    KEY.replace('665F', '665G'),
    KEY.replace('665F', 'O65F'),
    KEY.replace('-', '--'),
    KEY.replace('7Q2M', '7-Q2M'),
    KEY.replace('-', '_'),
    `${KEY}!`,
    // Letters whose upper case is one or two ASCII letters.
    KEY.replace('LIC', 'l\u0131c'),
    KEY.replace('7Q2M', '7Q\u00DF'),
    KEY.replace('7Q2M', '7Q2\u017F'),
    KEY.replace('93KD', '93\u212AD'),
    'nonsense',
    '',
  ])('is not found in %j', (text) => {
    expect(meantKey(text)).toBeUndefined();
  });
});

it('limits count all forms of a key as one key, and ignore what pasting adds to other texts', () => {
  expect(normalForm(`"${KEY.toLowerCase()}"`)).toBe(KEY);
  expect(normalForm(OF_LETTERS)).toBe(normalForm(OF_LETTERS.replace('OIL0', '0110')));
  expect(normalForm(' \u201CA1b \u2013 2\u201D. ')).toBe('A1B-2');
});

it('folding leaves every other ASCII character unchanged', () => {
  const kept = Array.from({ length: 94 }, (_, i) => String.fromCharCode(0x21 + i))
    .filter((each) => !`"'\`<>`.includes(each))
    .join('');
  expect(foldPasted(kept)).toBe(kept);
});

describe('a shortened key', () => {
  it.each([
    KEY.slice(0, -1),
    KEY.slice(0, -4),
    KEY.slice(0, -5),
    KEY.slice(0, 30).toLowerCase(),
    KEY.slice(0, 28),
    KEY.slice(0, 12),
    KEY.replace('7Q2M', '7Q2'),
    `"${KEY.slice(0, -2)}"`,
    KEY.slice(0, -2).replaceAll('-', '\u2013'),
  ])('is %j', (text) => {
    expect(isShortened(text)).toBe(true);
  });

  it.each([
    KEY,
    KEY.replaceAll('-', ' '),
    `${KEY}A`,
    KEY.slice(4),
    'LIC',
    'LIC-665F1C2',
    'ACME-2026-0815',
    '550e8400-e29b-41d4-a716-446655440000',
    'da39a3ee5e6b4b0d3255bfef95601890afd80709',
    'C1B6DE-39A6E3-DE1529-8559A0',
    'nonsense',
  ])('is not %j', (text) => {
    expect(isShortened(text)).toBe(false);
  });
});

describe('an imported key', () => {
  it.each([
    ['C1B6DE-39A6E3-DE1529-8559A0', 'C1B6DE-39A6E3-DE1529-8559A0'],
    ['550e8400-e29b-41d4-a716-446655440000', '550E8400-E29B-41D4-A716-446655440000'],
    ['aB3xYz-9', 'aB3xYz-9'],
    ['abc_def', 'abc_def'],
    [`key/${'a'.repeat(2_044)}`, `key/${'a'.repeat(2_044)}`],
  ])('can be %j', (key, form) => {
    expect([isForeignKey(key), lookupForm(key)]).toEqual([true, form]);
  });

  it.each([
    'A1B2C',
    'A'.repeat(2_049),
    'A1B2C3 D4',
    '"A1B2C3"',
    'A1B2C3.',
    'A1B2\u2013C3',
    '\u00C41B2C3',
    KEY,
    KEY.replaceAll('-', ''),
  ])('cannot be %j', (key) => {
    expect(isForeignKey(key)).toBe(false);
  });
});
