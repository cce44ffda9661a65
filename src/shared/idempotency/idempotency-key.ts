const MAX_LENGTH = 255;

/**
 * Parses the header Idempotency-Key: a quoted string of RFC 8941, as in the IETF draft, or a bare key.
 *
 * @returns undefined if it is not a key of 1 to 255 printable ASCII characters
 */
export function parseIdempotencyKey(header: string): string | undefined {
  const text = header.trim();
  const key = text.startsWith('"') ? unquote(text) : text;
  return key !== undefined && /^[\x20-\x7e]+$/.test(key) && key.length <= MAX_LENGTH
    ? key
    : undefined;
}

function unquote(text: string): string | undefined {
  const inner = /^"((?:[^"\\]|\\["\\])*)"$/.exec(text)?.[1];
  return inner?.replace(/\\(["\\])/g, '$1');
}
