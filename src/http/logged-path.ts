/** Longest logged path, in characters. */
const MAX_LENGTH = 100;
/** Shorter than any secret: a password has at least 12 characters, keys, tokens and fingerprints have more. */
const HARMLESS = /^[\w.~-]{1,11}$/;

/**
 * The path of a request that matched no route, safe to log. Callers put license keys and tokens into paths, so
 * only short words are kept; every other segment becomes `*`.
 */
export function loggedPath(url: string): string {
  // Cut first, so that masking a long URL costs no more.
  const [path = ''] = url.slice(0, MAX_LENGTH).split(/[?#;]/, 1);
  const masked = path.replace(/[^/]+/g, (segment) => (HARMLESS.test(segment) ? segment : '*'));
  // Drop the last segment if it was cut: part of a secret may be short.
  return path.length === MAX_LENGTH && url.length > MAX_LENGTH
    ? masked.replace(/[^/]*$/, '…')
    : masked;
}
