/** Most characters of a path that are logged. */
const LONGEST = 100;
/** Shorter than any secret: a password has at least 12 characters, keys, tokens and fingerprints have more. */
const HARMLESS = /^[\w.~-]{1,11}$/;

/**
 * A request's path as it may be logged where no route matched it. Callers put license keys and tokens
 * into paths, so only short words are shown; every other segment is shown as `*`.
 */
export function loggedPath(url: string): string {
  // Cut first: masking must not cost more for a longer URL.
  const [path = ''] = url.slice(0, LONGEST).split(/[?#;]/, 1);
  const masked = path.replace(/[^/]+/g, (segment) => (HARMLESS.test(segment) ? segment : '*'));
  // The last segment may have been cut in half, and half a secret may be short.
  return path.length === LONGEST && url.length > LONGEST ? masked.replace(/[^/]*$/, '…') : masked;
}
