import { commonPasswords, hasPasswordLength, isPasswordGuessable } from './password-policy.js';

describe('S7: hasPasswordLength', () => {
  it.each([
    ['12 characters', 'a'.repeat(12), true],
    ['128 characters', 'a'.repeat(128), true],
    ['11 characters', 'a'.repeat(11), false],
    ['129 characters', 'a'.repeat(129), false],
    ['12 characters outside the basic plane', '🔑'.repeat(12), true],
    ['11 characters outside the basic plane', '🔑'.repeat(11), false],
    ['12 characters, of which 2 are spaces at the ends', ' abcdefghij ', true],
    ['a lone surrogate, which has no UTF-8 form', `\ud83d${'a'.repeat(12)}`, false],
  ])('checks %s', (_case, password, expected) => {
    expect(hasPasswordLength(password)).toBe(expected);
  });
});

describe('S7: isPasswordGuessable', () => {
  const EMAIL = 'ada.lovelace@studio.example';
  let common: ReadonlySet<string>;

  beforeAll(async () => {
    common = await commonPasswords();
  });

  it.each([
    ['a common password', 'qwertyuiop123'],
    ['a common password in another case', 'PasswordPassword'],
    ['a common password and digits', 'password12345'],
    ['a common password between digits and signs', '!!2024-Dragon-2024!!'],
    ['a common password twice', 'letmeinletmein'],
    ['one repeated character', 'zzzzzzzzzzzz'],
    ['spaces', ' '.repeat(12)],
    ['a short repetition that ends in its middle', 'xyzxyzxyzxyzx'],
    ['five digits repeated', '83157831578315'],
    ['the alphabet', 'cdefghijklmno'],
    ['the alphabet backwards', 'zyxwvutsrqpo'],
    ['the digits', '234567890123'],
    ['a row of the keyboard', 'wertyuiopasdf'],
    ['a row of the keyboard and digits', 'qwertyuiopasd77'],
    ['the e-mail address', 'Ada.Lovelace@studio.example'],
    ['the local part of the e-mail address', 'ada.lovelace'],
    ['the local part of the e-mail address and digits', 'Ada.Lovelace1815!'],
  ])('is true for %s', (_case, password) => {
    expect(isPasswordGuessable(password, EMAIL, common)).toBe(true);
  });

  it.each([
    ['words', 'seven quiet lanterns drift'],
    ['common words in a row', 'correct horse battery'],
    ['a common word within others', 'mydragonlaughs'],
    ['random characters', 'kZ0vKX3Yb0m4'],
    ['random digits', '837465019283'],
    ['random hexadecimal digits around one letter', '48812f349871'],
    ['other alphabets', 'облака над рекой'],
    ['symbols alone', '🔑🚪🌧🦉🔑🪁🧭🌊🪴🎻🧵🫖'],
  ])('is false for %s', (_case, password) => {
    expect(isPasswordGuessable(password, EMAIL, common)).toBe(false);
  });

  it('recognizes a local part that ends in digits, with other digits around it', () => {
    const judge = (password: string) =>
      isPasswordGuessable(password, 'grace.hopper1906@studio.example', common);

    expect(judge('Grace.Hopper1906')).toBe(true);
    expect(judge('grace.hopper190699')).toBe(true);
    expect(judge('99Grace.Hopper!')).toBe(true);
    expect(judge('graceful.hopper1906')).toBe(false);
  });

  it('takes linear time for the longest passwords', () => {
    const started = process.cpuUsage();
    for (const password of ['ab'.repeat(63) + 'cd', '1'.repeat(127) + 'a', 'a'.repeat(127) + '1']) {
      isPasswordGuessable(password, EMAIL, common);
    }
    // CPU time, so that other load does not count. Trying every repetition at every position would take minutes.
    expect(process.cpuUsage(started).user).toBeLessThan(2_000_000);
  });
});

describe('commonPasswords', () => {
  it('contains tens of thousands, all in lower case', async () => {
    const common = await commonPasswords();

    expect(common.size).toBeGreaterThan(40_000);
    expect([...common].filter((password) => password !== password.toLowerCase())).toEqual([]);
  });
});
