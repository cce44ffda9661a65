import { searchForm } from './search-form.js';

describe('searchForm', () => {
  it.each([
    ['ACME Ltd', 'acme ltd'],
    ['Ａｃｍｅ', 'acme'],
    ['Société', 'socie\u0301te\u0301'.normalize('NFC')],
    ['STRAẞE', 'straße'],
    ['İstanbul', 'i\u0307stanbul'],
    ['①℡', '1tel'],
    ['100%_.*([\\$', '100%_.*([\\$'],
  ])('of %j is %j', (text, form) => {
    expect(searchForm(text)).toBe(form);
  });

  it('is idempotent for every character', () => {
    const changed: string[] = [];
    for (let point = 0; point <= 0x10ffff; point++) {
      if (point >= 0xd800 && point <= 0xdfff) continue;
      const form = searchForm(String.fromCodePoint(point));
      if (searchForm(form) !== form) changed.push(`${point.toString(16)}: ${form}`);
    }
    expect(changed).toEqual([]);
  });

  it.each(['ΟΔΟΣΑ', 'ΣΑΣ ΣΑΣ', 'İSTANBUL', 'ﬀﬁ', '🚀🚁'])(
    'of each prefix of %s is a prefix of the whole form',
    (name) => {
      const characters = [...name];
      const parts = characters.map((_, index) => characters.slice(0, index + 1).join(''));
      const whole = searchForm(name);
      expect(parts.filter((part) => !whole.startsWith(searchForm(part)))).toEqual([]);
    },
  );
});
