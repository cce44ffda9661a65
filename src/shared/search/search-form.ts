/** The form in which names and e-mail addresses are searched: NFKC, in lower case. */
export function searchForm(text: string): string {
  // Whether a sigma is a final one depends on what follows, which the beginning of a name does not have.
  return text.normalize('NFKC').toLowerCase().replaceAll('ς', 'σ');
}

/** Texts that begin with a prefix, as a range in the order of their UTF-8 bytes, in which both engines sort. */
export interface PrefixRange {
  /** The prefix itself: the first of them. */
  readonly from: string;
  /** The first text after them. */
  readonly until: string;
}

/** @param prefix has a last character, and that is neither a surrogate nor U+10FFFF */
export function prefixRange(prefix: string): PrefixRange {
  const characters = [...prefix];
  const last = characters.pop()!.codePointAt(0)!;
  // Surrogates are no characters of their own: the one after them is the next.
  const next = last === 0xd7ff ? 0xe000 : last + 1;
  return { from: prefix, until: characters.join('') + String.fromCodePoint(next) };
}
