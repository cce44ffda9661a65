export const PASSWORD_MIN = 12;
/** argon2 accepts any length. The maximum limits the work per request. */
export const PASSWORD_MAX = 128;

/** A password that repeats a unit shorter than this is guessable. */
const SHORTEST_UNIT = 6;
/** Shorter words are not looked up in the list of common passwords. */
const SHORTEST_WORD = 4;

const RUNS = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890123456789',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm',
];

/** The validation message for a guessable password; the field name goes in front. */
export const GUESSABLE =
  'must not be a common password, a simple sequence or repetition, or your email address';

/**
 * The normalized password (RFC 8265, section 4.2.2), because keyboards differ in whether they compose
 * accented letters.
 */
export const normalizePassword = (password: string): string => password.normalize('NFC');

/** Whether a password has 12 to 128 characters (Unicode code points), untrimmed, and is valid UTF-8. */
export function hasPasswordLength(password: string): boolean {
  const { length } = [...password];
  return length >= PASSWORD_MIN && length <= PASSWORD_MAX && !/\p{Cs}/u.test(password);
}

/**
 * Whether a password is easy to guess: a common password, the account's email address or its local part,
 * alone, repeated, or surrounded by digits and punctuation; a few repeated characters; or a run of letters,
 * digits or keys on the keyboard.
 *
 * @param email the account's email address, normalized
 * @param common common passwords, in lower case
 */
export function isPasswordGuessable(
  password: string,
  email: string,
  common: ReadonlySet<string>,
): boolean {
  const whole = password.toLowerCase();
  const unit = repeatedUnit(whole);
  const [local = ''] = email.split('@');
  const names = [email, local, lettersOf(local)];
  const isGuess = (text: string) =>
    text.length >= SHORTEST_WORD && (common.has(text) || names.includes(text) || isRun(text));
  return unit.length < SHORTEST_UNIT || [whole, unit, lettersOf(unit)].some(isGuess);
}

/** The text without leading and trailing digits and punctuation. */
const lettersOf = (text: string) => text.replace(/^\P{L}+|\P{L}+$/gu, '');

/** The shortest unit that the text repeats, or the whole text. */
function repeatedUnit(text: string): string {
  for (let length = 1; length <= text.length / 2; length += 1) {
    if (text.startsWith(text.slice(length))) return text.slice(0, length);
  }
  return text;
}

function isRun(text: string): boolean {
  const reversed = [...text].reverse().join('');
  return RUNS.some((run) => run.includes(text) || run.includes(reversed));
}

let loading: Promise<ReadonlySet<string>> | undefined;

/** The 49,000 most common passwords, in lower case. Loading on first use takes about 30 ms and 4 MB. */
export function commonPasswords(): Promise<ReadonlySet<string>> {
  loading ??= load();
  return loading;
}

async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common']);
}
