import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { AccountId } from '../../shared/ids.js';
import type { DataKeys } from '../../shared/sealing/data-keys.js';
import { collection, id, integer, type RecordOf, text, time } from '../../storage/collection.js';

/** Lifetime of a challenge, in milliseconds: 5 minutes. */
export const CHALLENGE_LIFE = 5 * 60_000;
export const MAX_TRIES = 5;

const CHALLENGE_FIELDS = {
  /** The challenge, hashed like the token of a link. */
  _id: text(),
  user: id(),
  accountId: id<AccountId>(),
  /** The password that was proved. Any other password voids the challenge. */
  boundTo: text(),
  tries: integer(),
  expiresAt: time(),
};

/** A login with a correct password that still needs its second factor. */
export type Challenge = RecordOf<typeof CHALLENGE_FIELDS>;

export const CHALLENGES = collection<Challenge>('challenges', {
  fields: CHALLENGE_FIELDS,
  indexes: [['accountId'], ['expiresAt']],
  account: 'accountId',
  expires: 'expiresAt',
});

const SPENT_FIELDS = { _id: text(), accountId: id<AccountId>(), expiresAt: time() };

/** A passkey challenge that was used, by its hash. */
export type SpentChallenge = RecordOf<typeof SPENT_FIELDS>;

export const SPENT_CHALLENGES = collection<SpentChallenge>('spent_challenges', {
  fields: SPENT_FIELDS,
  indexes: [['accountId'], ['expiresAt']],
  account: 'accountId',
  expires: 'expiresAt',
});

/** The first part of a sealed challenge: its expiry and random bits, 24 bytes. */
const HEAD = 32;

/**
 * A passkey challenge that is not stored. The service recognizes it by its MAC.
 *
 * @param purpose what it can be used for, and by whom
 */
export function sealedChallenge(dataKeys: DataKeys, purpose: string, now: Date): string {
  const head = Buffer.concat([Buffer.alloc(8), randomBytes(16)]);
  head.writeBigUInt64BE(BigInt(now.getTime() + CHALLENGE_LIFE));
  const text = head.toString('base64url');
  return text + macOf(dataKeys, purpose, text);
}

export function isSealedChallenge(
  dataKeys: DataKeys,
  purpose: string,
  challenge: string,
  now: Date,
): boolean {
  const [head, mac] = [challenge.slice(0, HEAD), Buffer.from(challenge.slice(HEAD))];
  const expected = Buffer.from(macOf(dataKeys, purpose, head));
  if (mac.length !== expected.length || !timingSafeEqual(mac, expected)) return false;
  return Buffer.from(head, 'base64url').readBigUInt64BE() > now.getTime();
}

const macOf = (dataKeys: DataKeys, purpose: string, head: string) =>
  dataKeys.hash('passkey challenge', purpose, head);
