import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { IsEmailAddress, IsName, IsText, IsTimestamp, normalEmail } from './request.decorators.js';

class Probe {
  @IsText(2, 4)
  text = 'text';

  @IsName(9)
  name = 'Ada';

  @IsEmailAddress()
  email = 'office@acme.test';

  @IsTimestamp('A time', '2026-01-31T10:15:00.000Z')
  time: Date | string = '2026-01-31T10:15:00Z';
}

/** The stored form of a field, or the reasons it is rejected. */
function read<K extends keyof Probe>(field: K, value: unknown): Probe[K] | string[] {
  const probe = plainToInstance(Probe, { ...new Probe(), [field]: value });
  const errors = validateSync(probe);
  if (errors.length === 0) return probe[field];
  return errors.flatMap(({ constraints }) => Object.values(constraints!));
}
const REJECTED = expect.any(Array) as unknown;

describe('IsText', () => {
  it.each([
    ['abcd', 'abcd'],
    ['\u00a0ab\n\ufeff', 'ab'],
    ['a b', 'a b'],
    ['東京', '東京'],
    // In NFC.
    ['e\u0301e\u0301e\u0301e\u0301', '\u00e9\u00e9\u00e9\u00e9'],
    ['🚀🚀🚀🚀', '🚀🚀🚀🚀'],
  ])('stores %j as %j', (text, result) => {
    expect(read('text', text)).toBe(result);
  });

  it.each([' a ', 'abcde', '🚀', '🚀🚀🚀🚀🚀', 'a\0b', 'a\tb', 'a\u0085b', 'a\ud800b', 12, ['ab']])(
    'rejects %j: its length, a control character, a lone surrogate or its type',
    (text) => {
      expect(read('text', text)).toEqual(REJECTED);
    },
  );
});

describe('IsName', () => {
  it.each([
    ['  Ada ', 'Ada'],
    // Joiners in Persian and in an emoji, and a direction mark before Hebrew.
    ['\u0645\u06cc\u200c\u0631\u0648\u0645', '\u0645\u06cc\u200c\u0631\u0648\u0645'],
    ['\u{1f469}\u200d\u{1f4bb}', '\u{1f469}\u200d\u{1f4bb}'],
    ['\u200f\u05e9\u05dc\u05d5\u05dd', '\u200f\u05e9\u05dc\u05d5\u05dd'],
    ['?', '?'],
  ])('stores %j as %j', (text, name) => {
    expect(read('name', text)).toBe(name);
  });

  it.each(['\u200b', '\u2060\u200d', '\u3164', '\u2800', '\u00ad \u00ad', '\ufe0f'])(
    'rejects %j, which has no visible character',
    (text) => {
      expect(read('name', text)).toEqual(['name must have a visible character']);
    },
  );

  it.each(['\u202a', '\u202d', '\u202e', '\u2066', '\u2069'])(
    'rejects %j, which reorders the text around it',
    (control) => {
      expect(read('name', `Ada${control}`)).toEqual([
        'name must have no characters that change the direction of text',
      ]);
    },
  );
});

describe('IsEmailAddress', () => {
  const domainOf = (length: number) =>
    `${'d'.repeat(60)}.`.repeat(4).slice(0, length - 5) + '.test';
  // The maximum length of RFC 5321.
  const longest = `${'l'.repeat(64)}@${domainOf(189)}`;

  it.each([
    ['  Office@ACME.Test\n', 'office@acme.test'],
    ['first.last+tag@sub.acme.test', 'first.last+tag@sub.acme.test'],
    ['BU\u0308RO@ACME\u0301.test', 'b\u00fcro@acm\u00e9.test'],
    [longest, longest],
  ])('stores %j as %j', (email, result) => {
    expect(read('email', email)).toBe(result);
    expect(normalEmail(email)).toBe(result);
  });

  it.each([
    'office@acme',
    'office@acme.test, other@acme.test',
    'Office <office@acme.test>',
    '"quoted\0part"@acme.test',
    'office@acme.test\r\nBcc: all@acme.test',
    `${'l'.repeat(65)}@acme.test`,
    `${'l'.repeat(64)}@${domainOf(190)}`,
    ['office@acme.test'],
  ])('rejects %j', (email) => {
    expect(read('email', email)).toEqual(REJECTED);
  });

  it.each(['\u00ad', '\u200b', '\u200d', '\u202e', '\u2060', '\u{e0061}'])(
    'reports an invisible character in an address: %j',
    (invisible) => {
      const reasons = ['email must not contain invisible characters'];
      expect(read('email', `off${invisible}ice@acme.test`)).toEqual(
        expect.arrayContaining(reasons),
      );
    },
  );
});

describe('IsTimestamp', () => {
  it.each([
    ['2026-01-31T10:15:00Z', '2026-01-31T10:15:00.000Z'],
    ['2026-01-31T10:15:00.123999999Z', '2026-01-31T10:15:00.123Z'],
    ['2026-01-31T10:15:00+05:45', '2026-01-31T04:30:00.000Z'],
    ['2026-01-31T23:59:59.999-12:00', '2026-02-01T11:59:59.999Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
  ])('reads %s as %s', (text, time) => {
    expect(read('time', text)).toEqual(new Date(time));
  });

  it.each<unknown>([
    '2026-01-31',
    '2026-01-31T10:15:00',
    '2026-01-31T10:15:00Z\n',
    '2026-01-31T10:15:00.1234567890Z',
    '2026-01-31T10:15:00+0545',
    '2026-13-01T00:00:00Z',
    '2026-01-31T10:15:60Z',
    '+002026-01-31T10:15:00Z',
    // A day that does not exist in the month.
    '2026-02-29T00:00:00Z',
    1769854500000,
    ['2026-01-31T10:15:00Z'],
  ])('rejects %j', (value) => {
    const reason = 'time must be a timestamp like 2026-01-31T10:15:00.000Z';
    expect(read('time', value)).toEqual([reason]);
  });
});
