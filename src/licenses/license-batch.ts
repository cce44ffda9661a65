import type { License } from './license.js';

type Own = Pick<License, '_id' | 'keyHash' | 'sealedKey'>;

/** Licenses that were issued at once, as the result of a request is stored: what they have in common once. */
export interface LicenseBatch {
  readonly common: License;
  readonly own: readonly Own[];
}

/** @param licenses at least one */
export const toBatch = (licenses: readonly License[]): LicenseBatch => ({
  common: licenses[0]!,
  own: licenses.map(({ _id, keyHash, sealedKey }) => ({ _id, keyHash, sealedKey })),
});

export const licensesOf = ({ common, own }: LicenseBatch): License[] =>
  own.map((one) => ({ ...common, ...one }));
