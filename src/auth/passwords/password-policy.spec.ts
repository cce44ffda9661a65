import { commonPasswords, hasPasswordLength, isPasswordGuessable } from './password-policy.js';

describe('S7: hasPasswordLength', () => {
  it.each([
    ['12 characters', 'a'.repeat(12), true],
    ['128 characters', 'a'.repeat(128), true],
    ['11 characters', 'a'.repeat(11), false],
    ['129 characters', 'a'.repeat(129), false],
    ['11 characters outside the basic plane', '🔑'.repeat(11), false],
    ['12 characters, of which 2 are spaces at the ends', ' abcdefghij ', true],
    ['a lone surrogate, which has no UTF-8 form', `\ud83d${'a'.repeat(12)}`, false],
  ])('checks %s', (_case, password, expected) => {
    expect(hasPasswordLength(password)).toBe(expected);
  });
});

describe('S7: isPasswordGuessable', () => {
  const EMAIL = 'ada.lovelace1815@studio.example';
  let common: ReadonlySet<string>;

  beforeAll(async () => {
    common = await commonPasswords();
  });

  it.each([
    ['a common password', 'qwertyuiop123', true],
    ['a common password in another case', 'PasswordPassword', true],
    ['a common password between digits and signs', '!!2024-Dragon-2024!!', true],
    ['a common password twice', 'letmeinletmein', true],
    ['one repeated character', 'zzzzzzzzzzzz', true],
    ['a short repetition that ends in its middle', 'xyzxyzxyzxyzx', true],
    ['five digits repeated', '83157831578315', true],
    ['the alphabet', 'cdefghijklmno', true],
    ['the alphabet backwards', 'zyxwvutsrqpo', true],
    ['the digits', '234567890123', true],
    ['a row of the keyboard', 'wertyuiopasdf', true],
    ['the email address', 'Ada.Lovelace1815@studio.example', true],
    ['the local part of the email address', 'Ada.Lovelace1815', true],
    ['the local part without its digits', 'ada.lovelace', true],
    ['the local part between other digits and signs', '99Ada.Lovelace!', true],
    ['words, one of which is in the local part', 'ada.lovelaces1815', false],
    ['words', 'seven quiet lanterns drift', false],
    ['a common word within others', 'mydragonlaughs', false],
    ['random characters', 'kZ0vKX3Yb0m4', false],
    ['random digits', '837465019283', false],
    ['random hexadecimal digits around one letter', '48812f349871', false],
    ['other alphabets', 'облака над рекой', false],
    ['symbols alone', '🔑🚪🌧🦉🔑🪁🧭🌊🪴🎻🧵🫖', false],
  ])('judges %s, %j: %s', (_what, password, isGuessable) => {
    expect(isPasswordGuessable(password, EMAIL, common)).toBe(isGuessable);
  });

  it('takes linear time for the longest passwords', () => {
    const started = process.cpuUsage();
    for (const password of ['ab'.repeat(63) + 'cd', '1'.repeat(127) + 'a', 'a'.repeat(127) + '1']) {
      isPasswordGuessable(password, EMAIL, common);
    }
    // CPU time, so other load does not count. Trying every repetition at every position would take minutes.
    expect(process.cpuUsage(started).user).toBeLessThan(2_000_000);
  });
});

it('S7: knows tens of thousands of common passwords, all in lower case', async () => {
  const common = await commonPasswords();

  expect(common.size).toBeGreaterThan(40_000);
  expect([...common].filter((password) => password !== password.toLowerCase())).toEqual([]);
});
