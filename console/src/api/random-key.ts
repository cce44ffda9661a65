/** A new `Idempotency-Key`. Pages served over plain HTTP have no `crypto.randomUUID`. */
export const randomKey = (): string => toHex(crypto.getRandomValues(new Uint8Array(16)));

/** @returns two digits for each byte */
export const toHex = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
