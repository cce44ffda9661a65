import { prefixRange, searchForm } from './search-form.js';

/** The last character: the two code points after it are noncharacters. */
const LAST = '\u{10fffd}';
/** The order in which both engines sort: that of the UTF-8 bytes. */
const compare = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
const isInRange = (text: string, prefix: string) => {
  const { from, until } = prefixRange(prefix);
  return compare(text, from) >= 0 && compare(text, until) < 0;
};

describe('searchForm', () => {
  it.each([
    ['ACME Ltd', 'acme ltd'],
    ['Ａｃｍｅ', 'acme'],
    ['ﬁrm', 'firm'],
    ['Société', 'socie\u0301te\u0301'.normalize('NFC')],
    ['SOCIE\u0301TE\u0301', 'société'],
    ['STRAẞE', 'straße'],
    ['İstanbul', 'i\u0307stanbul'],
    ['①℡', '1tel'],
    ['東京', '東京'],
    ['🚀', '🚀'],
    ['100%_.*([\\$', '100%_.*([\\$'],
  ])('of %j is %j', (text, form) => {
    expect(searchForm(text)).toBe(form);
  });

  it('is its own search form, for every character', () => {
    const changed: string[] = [];
    for (let point = 0; point <= 0x10ffff; point++) {
      if (point >= 0xd800 && point <= 0xdfff) continue;
      const form = searchForm(String.fromCodePoint(point));
      if (searchForm(form) !== form) changed.push(`${point.toString(16)}: ${form}`);
    }
    expect(changed).toEqual([]);
  });

  it.each(['ΟΔΟΣΑ', 'ΣΑΣ ΣΑΣ', 'İSTANBUL', 'Straße', 'ﬀﬁ', 'Ａｃｍｅ Ｌｔｄ', '🚀🚁'])(
    'of every prefix of %s is a prefix of the whole form',
    (name) => {
      const characters = [...name];
      const parts = characters.map((_, index) => characters.slice(0, index + 1).join(''));
      const whole = searchForm(name);
      expect(parts.filter((part) => !whole.startsWith(searchForm(part)))).toEqual([]);
    },
  );
});

describe('prefixRange', () => {
  it.each([
    ['a', 'b'],
    ['acme', 'acmf'],
    ['z', '{'],
    ['\u007f', '\u0080'],
    ['ß', 'à'],
    ['\ud7ff', '\ue000'],
    ['a\ud7ff', 'a\ue000'],
    ['🚀', '🚁'],
    ['\ufffd', '\ufffe'],
    [LAST, '\u{10fffe}'],
    [`a${LAST}`, 'a\u{10fffe}'],
    [`${LAST}a`, `${LAST}b`],
  ])('of %j ends before %j', (prefix, until) => {
    expect(prefixRange(prefix)).toEqual({ from: prefix, until });
  });

  const ENDS = ['a', 'z', 'ß', '\ud7ff', '\ue000', '\ufffd', '\u{10000}', '🚀', '\u{10fffc}', LAST];
  const prefixes = ENDS.flatMap((one) => [one, ...ENDS.map((other) => one + other)]);
  const texts = prefixes.flatMap((prefix) => [prefix, `${prefix}a`, `${prefix}${LAST}`]);

  it(`contains exactly the texts that begin with the prefix: ${prefixes.length * texts.length} pairs`, () => {
    const wrong = prefixes.flatMap((prefix) =>
      texts
        .filter((text) => isInRange(text, prefix) !== text.startsWith(prefix))
        .map((text) => ({ prefix, text })),
    );
    expect(wrong).toEqual([]);
  });
});
