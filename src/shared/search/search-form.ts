/** The form in which names and e-mail addresses are searched: NFKC, in lower case. */
export function searchForm(text: string): string {
  // A sigma at the end of a prefix lowercases to its final form, so both forms are made equal.
  return text.normalize('NFKC').toLowerCase().replaceAll('ς', 'σ');
}

/** The range of texts that begin with a prefix, in UTF-8 byte order, by which both engines sort. */
export interface PrefixRange {
  /** The prefix itself: the first of them. */
  readonly from: string;
  /** The first text after them. */
  readonly until: string;
}

/** @param prefix not empty; its last character is neither a surrogate nor U+10FFFF */
export function prefixRange(prefix: string): PrefixRange {
  const characters = [...prefix];
  const last = characters.pop()!.codePointAt(0)!;
  // Skip the surrogates, which are not characters.
  const next = last === 0xd7ff ? 0xe000 : last + 1;
  return { from: prefix, until: characters.join('') + String.fromCodePoint(next) };
}
