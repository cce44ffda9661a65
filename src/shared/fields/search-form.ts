/**
 * The characters that people and word processors use as apostrophes, except ´, which NFKD treats as an
 * accent without a letter.
 */
const APOSTROPHES = /[`‘’‛′ʹʻʼʽˈ]/g;
const ACCENTS = /[\u0300-\u036f]/g;

/** The form in which names and email addresses are searched: in lower case, without accents, with one kind of apostrophe. */
export function searchForm(text: string): string {
  const letters = text.replaceAll('´', "'").normalize('NFKD').replace(ACCENTS, '');
  // A sigma at the end of a word lowercases to its final form, so both forms are unified.
  return letters.replace(APOSTROPHES, "'").toLowerCase().replaceAll('ς', 'σ');
}
