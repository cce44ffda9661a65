import { MAX_DAYS } from '../certificate.js';
import type { AccountId } from '../../shared/ids.js';
import { DAY_MS } from '../../shared/time/calendar.js';
import { collection, type RecordOf, field } from '../../storage/collection.js';

/** A public Ed25519 key. */
export interface PublicKey {
  /** RFC 7638 thumbprint. */
  readonly kid: string;
  /** The key, as the base64url of 32 bytes: `x` of its JWK (RFC 8037). */
  readonly x: string;
}

/** An Ed25519 key pair as stored. */
export interface SigningKey extends PublicKey {
  /** The private key, sealed and bound to the issuer and `kid`. */
  readonly sealedSeed: string;
}

/** A key that no longer signs; its private key is deleted. */
export interface RetiredKey extends PublicKey {
  readonly retiredAt: Date;
}

const FIELDS = {
  _id: field.id<AccountId>(),
  /** Claim `iss` of its certificates; unique. */
  issuer: field.text(),
  /** Signs. */
  current: field.json<SigningKey>(),
  /** Signs after the next rotation. Software embeds both keys. */
  next: field.json<SigningKey>(),
  retired: field.json<readonly RetiredKey[]>(),
  rotations: field.integer(),
  /** Whether the latest export has both key pairs. */
  isExported: field.boolean(),
  createdAt: field.time(),
  updatedAt: field.time(),
};

export type SigningKeys = RecordOf<typeof FIELDS>;

export const SIGNING_KEYS = collection<SigningKeys>('signing_keys', {
  fields: FIELDS,
  unique: [['issuer']],
  indexes: [['isExported']],
  account: '_id',
});

/** Longest time that a rotated key may still sign on any instance. */
export const ROTATION_DELAY_MS = 60_000;

/** How long a retired key is published: until the last certificate it may have signed has expired. */
const RETIRED_FOR_MS = MAX_DAYS * DAY_MS + ROTATION_DELAY_MS;

export const MAX_RETIRED = 24;

/**
 * The keys after a rotation: `next` signs, and `fresh` follows it.
 *
 * @param compromised whether to stop publishing the key that signed until now
 * @returns null if that would exceed {@link MAX_RETIRED}
 */
export function rotated(
  keys: SigningKeys,
  fresh: SigningKey,
  compromised: boolean,
  now: Date,
): SigningKeys | null {
  const { kid, x } = keys.current;
  const retired = [
    ...keys.retired.filter((key) => isPublished(key, now)),
    ...(compromised ? [] : [{ kid, x, retiredAt: now }]),
  ];
  if (retired.length > MAX_RETIRED) return null;
  return {
    ...keys,
    current: keys.next,
    next: fresh,
    retired,
    rotations: keys.rotations + 1,
    isExported: false,
    updatedAt: now,
  };
}

/** The keys that may have signed valid certificates: current, next, then retired keys, latest first. */
export const publishedKeys = ({ current, next, retired }: SigningKeys, now: Date): PublicKey[] => [
  current,
  next,
  ...retired.filter((key) => isPublished(key, now)).toReversed(),
];

const isPublished = ({ retiredAt }: RetiredKey, now: Date) =>
  retiredAt.getTime() + RETIRED_FOR_MS > now.getTime();
