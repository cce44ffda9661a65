import { parseIdempotencyKey } from './idempotency-key.js';

const UUID = '8e03978e-40d5-43dd-bc93-6894a57f9324';

describe('parseIdempotencyKey', () => {
  it.each([
    [UUID, UUID],
    [`"${UUID}"`, UUID],
    [` ${UUID}\t`, UUID],
    [` "${UUID}" `, UUID],
    ['x', 'x'],
    ['~', '~'],
    ['a b', 'a b'],
    ['" a "', ' a '],
    ['a"b', 'a"b'],
    ['a\\b', 'a\\b'],
    ['"a\\"b\\\\c"', 'a"b\\c'],
    ['"\\\\"', '\\'],
    ['a, b', 'a, b'],
    ['x'.repeat(255), 'x'.repeat(255)],
    [`"${'x'.repeat(255)}"`, 'x'.repeat(255)],
    [`"${'\\"'.repeat(255)}"`, '"'.repeat(255)],
  ])('parses %j as the key %j', (header, key) => {
    expect(parseIdempotencyKey(header)).toBe(key);
  });

  it.each([
    '',
    ' ',
    '""',
    '"',
    '"a',
    '"a"b',
    '"a"b"',
    '"a" "b"',
    '"a", "b"',
    '"a\\"',
    '"a\\b"',
    '"a";p=1',
    'ä',
    '"ä"',
    '🚀',
    'a\0b',
    'a\tb',
    'a\nb',
    '\u007f',
    'x'.repeat(256),
    `"${'x'.repeat(256)}"`,
  ])('rejects %j', (header) => {
    expect(parseIdempotencyKey(header)).toBeUndefined();
  });
});
