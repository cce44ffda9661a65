/**
 * Longer texts are not keys: a key has at most 56 characters, and mail, tables and chats add fewer. Folding
 * 4,000 characters takes 1 ms.
 */
const MAX_LENGTH = 512;
const SHAPE = /^[A-Z0-9]{1,16}-[0-9A-F]{24}(?:-[A-Z0-9]{4}){3}$/i;
/** The groups of a key, separated or not. */
const GROUPS = /^([A-Z0-9]{1,16})-?([0-9A-F]{24})-?([A-Z0-9]{4})-?([A-Z0-9]{4})-?([A-Z0-9]{4})$/i;
/** Starts like a key: with at least a third of a project id. */
const BEGINNING = /^[A-Z0-9]{1,16}-(?:[0-9A-F]{8,24}|[0-9A-F]{24}(?:-[A-Z0-9]{1,4}){1,3})-?$/i;
/** Three groups, each of a hyphen and four characters. */
const RANDOM_LENGTH = 15;
/** A key of another product, imported with its license. */
const FOREIGN = /^[!-~]{6,2048}$/;
/** Imported keys with letters of both cases, or with other characters, may differ only in case. */
const WITHOUT_CASE = /^(?:[A-Z0-9-]+|[a-z0-9-]+)$/;
const PLAIN = /^[A-Za-z0-9-]+$/;

/** The key in this text if it has our format: trimmed, in upper case. */
export function exactKey(text: string): string | undefined {
  const trimmed = text.trim();
  // Tested before the conversion, because some foreign letters have an ASCII upper case.
  return SHAPE.test(trimmed) ? trimmed.toUpperCase() : undefined;
}

/**
 * The key in our format that a pasted or typed text represents. The keys we generate never contain the
 * letters O, I and L.
 */
export function meantKey(text: string): string | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const exact = exactKey(text);
  if (exact !== undefined) return withDigits(exact);
  const groups = GROUPS.exec(foldPasted(text));
  return groups ? withDigits(groups.slice(1).join('-').toUpperCase()) : undefined;
}

/** Whether a text can be the key of an imported license: pasting does not change it, and it cannot be mistaken for one of our keys. */
export const isForeignKey = (key: string): boolean =>
  FOREIGN.test(key) && foldPasted(key) === key && meantKey(key) === undefined;

/** The form in which a key is looked up. It is shown as it was issued or imported. */
export const lookupForm = (key: string): string =>
  exactKey(key) ?? (WITHOUT_CASE.test(key) ? key.toUpperCase() : key);

/**
 * The lookup forms that a pasted text may represent, most likely first. No key is mistaken for another
 * existing one.
 */
export function lookupForms(text: string): string[] {
  const exact = text.length > MAX_LENGTH ? undefined : exactKey(text);
  if (exact !== undefined) return [...new Set([exact, withDigits(exact)])];
  const meant = meantKey(text);
  if (meant !== undefined) return [meant];
  const folded = text.length > MAX_LENGTH ? '' : foldPasted(text);
  if (!FOREIGN.test(folded)) return [];
  return PLAIN.test(folded) ? [...new Set([folded, folded.toUpperCase()])] : [folded];
}

const withDigits = (key: string): string =>
  key.slice(0, -RANDOM_LENGTH) +
  key.slice(-RANDOM_LENGTH).replace(/[OIL]/g, (letter) => (letter === 'O' ? '0' : '1'));

/** The form in which limits count a text sent as a key. */
export const normalForm = (text: string): string =>
  meantKey(text) ?? foldPasted(text.slice(0, MAX_LENGTH)).toUpperCase();

/** Whether a text starts like one of our keys and ends too early. */
export function isShortened(text: string): boolean {
  if (text.length > MAX_LENGTH) return false;
  const folded = foldPasted(text);
  return BEGINNING.test(folded) && !SHAPE.test(folded);
}

/**
 * A text without the characters that copying, emails and word processors add to keys. The rest stays, so
 * other kinds of keys can be read from it.
 */
export const foldPasted = (text: string): string =>
  text
    .replace(
      /[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Quotation_Mark}`<>\uFF1C\uFF1E]/gu,
      '',
    )
    .replace(/\p{Dash}/gu, '-')
    .replace(/[\uFF01-\uFF5E]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/[.\u3002]$/, '');
