import { randomInt } from 'node:crypto';
import { generateSecret, generateURI, verifySync } from 'otplib';
import { DAY_MS } from '../../shared/time/calendar.js';
import type { RecoveryCode } from './factors.js';

const STEP_SECONDS = 30;

export const RECOVERY_CODES = 10;

/**
 * 16 characters of an alphabet of 32 have 80 bits. Crockford's base32: without I, L, O and U, which are
 * easily misread.
 */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A new TOTP secret: 160 bits, base32. */
export const newTotpSecret = (): string => generateSecret();

/** The URI that an authenticator app reads from a QR code. */
export const totpUri = (secret: string, email: string): string =>
  generateURI({ issuer: 'License management', label: email, secret });

/**
 * The time step of a TOTP code that is valid now; null if the code is wrong. The code of the previous step
 * is also accepted. A code of the next step is not: with three valid codes at a time, guessing would
 * succeed with a probability of more than 1 % a year.
 *
 * @param secret base32
 */
export function stepOf(code: string, secret: string, now: Date): number | null {
  // The library throws on any other input.
  if (!/^\d{6}$/.test(code)) return null;
  const epoch = Math.floor(now.getTime() / 1000);
  const verified = verifySync({ secret, token: code, epoch, epochTolerance: [STEP_SECONDS, 0] });
  return verified.valid && 'timeStep' in verified ? verified.timeStep : null;
}

/** Recovery codes such as 7H2K-9QXW-3MTR-V0AB. */
export const newRecoveryCodes = (): string[] => Array.from({ length: RECOVERY_CODES }, newCode);

const newCode = () => [0, 1, 2, 3].map(() => characters(4)).join('-');

const characters = (count: number) =>
  Array.from({ length: count }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

/** A recovery code in the form it was shown, however it is typed. */
export function normalRecoveryCode(typed: string): string {
  const code = typed.toUpperCase().replace(/[^0-9A-Z]/g, '');
  return code.replaceAll('O', '0').replace(/[IL]/g, '1');
}

/** The outcome of a code: correct (with the values to store), wrong, or used before. */
export type Outcome<T> = { readonly next: T } | 'wrong' | 'replayed';

export function spendRecoveryCode(
  codes: readonly RecoveryCode[],
  hash: string,
): Outcome<readonly RecoveryCode[]> {
  const spent = codes.find((code) => code.hash === hash);
  if (!spent) return 'wrong';
  if (spent.isSpent) return 'replayed';
  return { next: codes.map((code) => (code === spent ? { ...code, isSpent: true } : code)) };
}

/** This many wrong codes within 24 hours lock codes for 24 hours. */
export const MAX_WRONG_CODES = 10;

/**
 * Further wrong codes during a lock, from all addresses that the login has used before together. With
 * these, someone who knows the password and shares such an address has 13 guesses a day. Because two in a
 * million codes are valid at a time, they succeed with a probability of 0.95 % a year.
 */
export const MAX_WHILE_LOCKED = 3;

/** The wrong codes of a login. */
export interface WrongCodes {
  /** The times of wrong codes in the last 24 hours, before the limit is reached. */
  readonly times: readonly Date[];
  /** When codes are accepted again; null if they are accepted now. */
  readonly lockedUntil: Date | null;
  /** The number of wrong codes during the lock. */
  readonly whileLocked: number;
}

export const isLocked = (wrong: WrongCodes | null, now: Date): boolean =>
  wrong?.lockedUntil != null && wrong.lockedUntil > now;

/**
 * Whether a code is rejected without being checked. Strangers cannot use up the attempts that known
 * addresses have during a lock.
 */
export const isRejected = (wrong: WrongCodes | null, now: Date, isKnownAddress: boolean): boolean =>
  isLocked(wrong, now) && !(isKnownAddress && wrong!.whileLocked < MAX_WHILE_LOCKED);

/** The wrong codes after another one. A lock is never extended. */
export function withWrongCode(before: WrongCodes | null, now: Date): WrongCodes {
  if (before && isLocked(before, now)) {
    return { ...before, whileLocked: before.whileLocked + 1 };
  }
  const since = now.getTime() - DAY_MS;
  const times = [...(before?.times ?? []).filter((time) => time.getTime() > since), now];
  if (times.length < MAX_WRONG_CODES) return { times, lockedUntil: null, whileLocked: 0 };
  return { times: [], lockedUntil: new Date(now.getTime() + DAY_MS), whileLocked: 0 };
}
