import { searchForm } from './search-form.js';

describe('searchForm', () => {
  it.each([
    ['ACME Ltd', 'acme ltd'],
    ['Ａｃｍｅ', 'acme'],
    ['Société', 'societe'],
    ['Nguyễn', 'nguyen'],
    ['Nguyễn'.normalize('NFD'), 'nguyen'],
    ['O’Neill O´Neill Oʼneill', "o'neill o'neill o'neill"],
    ['STRAẞE', 'straße'],
    ['İstanbul', 'istanbul'],
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

  it.each(['ΟΔΟΣΑ', 'ΣΑΣ ΣΑΣ', 'İSTANBUL', 'ﬀﬁ', '한글', '🚀🚁'])(
    'of every part of %s is a part of the whole form',
    (name) => {
      const characters = [...name];
      const parts = characters.flatMap((_, end) =>
        characters.map((_, begin) => characters.slice(begin, end + 1).join('')),
      );
      const whole = searchForm(name);
      expect(parts.filter((part) => !whole.includes(searchForm(part)))).toEqual([]);
    },
  );
});
