/** The maximum nesting of arrays and objects, because other languages' parsers have different limits. */
const MAX_DEPTH = 64;

/** The text in UTF-8 bytes; undefined for other bytes. A byte order mark is not JSON, so it stays. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The JSON value of a text; undefined if it is not JSON, nested too deeply, or contains a lone surrogate. */
export function parseJson(text: string | undefined): unknown {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return isPortable(text!) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isPortable(json: string): boolean {
  let depth = 0;
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|[[{\]}]/g)) {
    if (token.startsWith('"')) {
      if (token.includes('\\') && !isWellFormed(JSON.parse(token) as string)) return false;
    } else {
      depth += '[{'.includes(token) ? 1 : -1;
      if (depth > MAX_DEPTH) return false;
    }
  }
  return true;
}

/** ES2024's String.prototype.isWellFormed, which the types lack. */
function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** Whether it is an integer from 0 to 2^53 - 1. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
