/** A new `Idempotency-Key`. `crypto.randomUUID` is missing on pages served over plain HTTP. */
export const randomKey = (): string => toHex(crypto.getRandomValues(new Uint8Array(16)));

/** @returns two digits for each byte */
export const toHex = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
