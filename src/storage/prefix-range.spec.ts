import { prefixRange } from './prefix-range.js';

/** The last character: the two code points after it are noncharacters. */
const LAST = '\u{10fffd}';
/** The order in which both engines sort: that of the UTF-8 bytes. */
const compare = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

it('prefixRange contains exactly the texts that begin with the prefix', () => {
  const ends = ['a', 'z', 'ß', '\ud7ff', '\ue000', '\ufffd', '\u{10000}', '🚀', '\u{10fffc}', LAST];
  const prefixes = ends.flatMap((one) => [one, ...ends.map((other) => one + other)]);
  const texts = prefixes.flatMap((prefix) => [prefix, `${prefix}a`, `${prefix}${LAST}`]);
  const wrong = prefixes.flatMap((prefix) => {
    const { from, until } = prefixRange(prefix);
    const isInRange = (text: string) => compare(text, from) >= 0 && compare(text, until) < 0;
    return texts.filter((text) => isInRange(text) !== text.startsWith(prefix));
  });
  expect(wrong).toEqual([]);
});
