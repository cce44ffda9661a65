/** The searchable form of names and e-mail addresses: NFKC, lower case. */
export function searchForm(text: string): string {
  // A sigma at the end of a prefix lowercases to its final form, so both forms are unified.
  return text.normalize('NFKC').toLowerCase().replaceAll('ς', 'σ');
}
