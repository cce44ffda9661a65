/**
 * The range of texts that begin with a prefix, in UTF-8 byte order, by which both engines sort: from the first of them, the prefix
 * itself, until the first text after them.
 *
 * @param prefix not empty; its last character is neither a surrogate nor U+10FFFF
 */
export function prefixRange(prefix: string): { readonly from: string; readonly until: string } {
  const characters = [...prefix];
  const last = characters.pop()!.codePointAt(0)!;
  // Skip the surrogates, which are not characters.
  const next = last === 0xd7ff ? 0xe000 : last + 1;
  return { from: prefix, until: characters.join('') + String.fromCodePoint(next) };
}
