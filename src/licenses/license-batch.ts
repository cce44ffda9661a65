import type { License } from './license.js';
import type { ShownLicense } from './shown-license.js';

type Own = Pick<License, '_id' | 'keyHash' | 'sealedKey' | 'seatsOf'>;

/** Licenses that were issued at the same time, as the result of a request is stored: what they have in common once. */
export interface LicenseBatch {
  readonly first: ShownLicense;
  readonly own: readonly Own[];
}

export const toBatch = (first: ShownLicense, licenses: readonly License[]): LicenseBatch => ({
  first,
  own: licenses.map(({ _id, keyHash, sealedKey, seatsOf }) => ({
    _id,
    keyHash,
    sealedKey,
    seatsOf,
  })),
});

export const licensesOf = ({ first, own }: LicenseBatch): ShownLicense[] =>
  own.map((one) => ({ ...first, license: { ...first.license, ...one } }));
