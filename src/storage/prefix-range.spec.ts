import { prefixRange } from './prefix-range.js';

/** The last character: the two code points after it are noncharacters. */
const LAST = '\u{10fffd}';
/** The order in which both engines sort: that of the UTF-8 bytes. */
const compare = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
const isInRange = (text: string, prefix: string) => {
  const { from, until } = prefixRange(prefix);
  return compare(text, from) >= 0 && compare(text, until) < 0;
};

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
