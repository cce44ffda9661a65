import { generateSync } from 'otplib';
import { DAY_MS } from '../../shared/time/calendar.js';
import {
  isLocked,
  isRejected,
  newRecoveryCodes,
  newTotpSecret,
  normalRecoveryCode,
  spendRecoveryCode,
  stepOf,
  totpUri,
  type WrongCodes,
  withWrongCode,
} from './codes.js';

/** `12345678901234567890`, the secret of RFC 6238, appendix B. */
const RFC_SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const atSecond = (seconds: number) => new Date(seconds * 1000);

// The last six of the eight digits in that appendix.
it.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('RFC 6238: at second %i the code is %s', (seconds, code) => {
  expect(stepOf(code, RFC_SECRET, atSecond(seconds))).toBe(Math.floor(seconds / 30));
});

it('a code is accepted in its own step and the next: never more than two codes at a time', () => {
  const secret = newTotpSecret();
  const code = generateSync({ secret, epoch: 3_000 });
  const outcomes = [2_970, 2_999, 3_000, 3_029, 3_030, 3_059, 3_060].map(
    (seconds) => stepOf(code, secret, atSecond(seconds)) === 100,
  );
  expect(outcomes).toEqual([false, false, true, true, true, true, false]);
});

it.each(['', '28708', '2870822', 'abcdef', '２８７０８２', '-28708', '28708 '])(
  'the code %j is wrong',
  (code) => {
    expect(stepOf(code, RFC_SECRET, atSecond(59))).toBeNull();
  },
);

it('an authenticator app reads the secret and the member from the URI', () => {
  const uri = new URL(totpUri(RFC_SECRET, 'ada@studio.example'));
  expect(uri.href.startsWith('otpauth://totp/License%20management:')).toBe(true);
  expect(uri.searchParams.get('secret')).toBe(RFC_SECRET);
  expect(decodeURIComponent(uri.pathname)).toContain('ada@studio.example');
});

describe('Recovery codes', () => {
  it('have 80 random bits, and are recognized in any notation', () => {
    const codes = newRecoveryCodes();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes)
      expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/);
    expect(normalRecoveryCode(' 7h2k 9qxw-3mtr–voil ')).toBe('7H2K9QXW3MTRV011');
  });

  it('work once, and a replay does not count as a wrong code', () => {
    const codes = ['a', 'b'].map((hash) => ({ hash, isSpent: false }));
    const next = [{ hash: 'a', isSpent: true }, codes[1]!];
    expect(spendRecoveryCode(codes, 'a')).toEqual({ next });
    expect(spendRecoveryCode(next, 'a')).toBe('replayed');
    expect(spendRecoveryCode(next, 'c')).toBe('wrong');
  });
});

describe('Wrong codes', () => {
  const START = Date.UTC(2026, 0, 1);
  const after = (...times: readonly number[]) =>
    times.reduce<WrongCodes | null>(
      (wrong, time) => withWrongCode(wrong, new Date(START + time)),
      null,
    );

  it('lock for 24 hours if there are ten within 24 hours', () => {
    const nine = Array.from({ length: 9 }, (_, hour) => hour);
    expect(isLocked(after(...nine, DAY_MS - 1), new Date(START + DAY_MS))).toBe(true);
    expect(isLocked(after(...nine, DAY_MS), new Date(START + DAY_MS))).toBe(false);
    const locked = after(...nine, 9, 10)!;
    expect(isLocked(locked, new Date(START + 8 + DAY_MS))).toBe(true);
    expect(isLocked(locked, new Date(START + 9 + DAY_MS))).toBe(false);
    const rejections = [locked, after(...nine, 9, 10, 11), after(...nine, 9, 10, 11, 12)].map(
      (wrong) => [false, true].map((isKnown) => isRejected(wrong, new Date(START + 13), isKnown)),
    );
    expect(rejections).toEqual([
      [true, false],
      [true, false],
      [true, true],
    ]);
  });

  it('let someone who knows the password guess a TOTP with a probability under 1 % a year, at any pace, from known addresses', () => {
    for (const pause of [1_000, 60_000, 30 * 60_000, 1.8 * 60 * 60_000, 2.7 * 60 * 60_000]) {
      let [guesses, wrong]: [number, WrongCodes | null] = [0, null];
      for (let time = 0; time < 365 * DAY_MS;) {
        const now = new Date(START + time);
        if (isRejected(wrong, now, true)) {
          time = wrong!.lockedUntil!.getTime() - START;
          continue;
        }
        guesses += 1;
        wrong = withWrongCode(wrong, now);
        time += pause;
      }
      expect(guesses).toBeGreaterThan(1_900);
      // Two in a million codes are valid at a time.
      expect(1 - (1 - 2e-6) ** guesses).toBeLessThan(0.01);
    }
  });
});
