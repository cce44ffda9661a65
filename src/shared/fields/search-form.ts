/** The form in which names and e-mail addresses are searched: NFKC, in lower case. */
export function searchForm(text: string): string {
  // A sigma at the end of a prefix lowercases to its final form, so both forms are made equal.
  return text.normalize('NFKC').toLowerCase().replaceAll('ς', 'σ');
}
