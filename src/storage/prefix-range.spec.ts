import { prefixRange } from './prefix-range.js';

/** The last character: the two code points after it are noncharacters. */
const LAST = '\u{10fffd}';
/** The order in which both engines sort: that of the UTF-8 bytes. */
const compare = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

describe('prefixRange', () => {
  const ENDS = ['a', 'z', 'ß', '\ud7ff', '\ue000', '\ufffd', '\u{10000}', '🚀', '\u{10fffc}', LAST];
  const prefixes = ENDS.flatMap((one) => [one, ...ENDS.map((other) => one + other)]);
  const texts = prefixes.flatMap((prefix) => [prefix, `${prefix}a`, `${prefix}${LAST}`]);

  it(`contains exactly the texts that begin with the prefix: ${prefixes.length * texts.length} pairs`, () => {
    const wrong = prefixes.flatMap((prefix) => {
      const { from, until } = prefixRange(prefix);
      const isInRange = (text: string) => compare(text, from) >= 0 && compare(text, until) < 0;
      return texts.filter((text) => isInRange(text) !== text.startsWith(prefix));
    });
    expect(wrong).toEqual([]);
  });
});
