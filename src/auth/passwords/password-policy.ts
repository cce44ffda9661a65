export const PASSWORD_MIN = 12;
/** argon2 takes any length; a bound keeps the work of one request small. */
export const PASSWORD_MAX = 128;

/** A password that repeats a unit shorter than this is guessable. */
const SHORTEST_UNIT = 6;
/** Shorter words are not looked up. */
const SHORTEST_WORD = 4;

const RUNS = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890123456789',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm',
];

/** What is wrong with a guessable password, after the name of its field. */
export const GUESSABLE =
  'must not be a common one, a simple sequence or repetition, or the e-mail address';

/**
 * The form in which passwords are compared: keyboards differ in whether they compose an accented letter
 * (RFC 8265, section 4.2.2).
 */
export const passwordForm = (password: string): string => password.normalize('NFC');

/** Whether a password has 12 to 128 characters (Unicode code points) and a UTF-8 form; it is never trimmed. */
export function hasPasswordLength(password: string): boolean {
  const { length } = [...password];
  return length >= PASSWORD_MIN && length <= PASSWORD_MAX && !/\p{Cs}/u.test(password);
}

/**
 * Whether a password is one of the first that anyone guesses: a common one, alone, repeated or with
 * digits and signs around it; the account's e-mail address or its local part in the same way; a
 * repetition of a few characters; or a run of the alphabet, the digits or the keyboard.
 *
 * @param email the account's, in its normal form
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

/** A text without the digits and signs around it. */
const lettersOf = (text: string) => text.replace(/^\P{L}+|\P{L}+$/gu, '');

/** What a text repeats from its beginning to its end, at least twice; the text itself if nothing. */
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

/**
 * The 49,000 most common passwords, in lower case. They are read (about 30 ms, 4 MB) when the first
 * password is chosen, by a registration or a change.
 */
export function commonPasswords(): Promise<ReadonlySet<string>> {
  loading ??= load();
  return loading;
}

async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common']);
}
