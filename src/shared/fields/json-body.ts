import { isUtf8 } from 'node:buffer';
import secureJsonParse from 'secure-json-parse';
import { DomainError } from '../errors/domain-error.js';

/** Maximum nesting depth of objects and arrays in a request body. */
const DEPTH_LIMIT = 16;

/**
 * The parsed body; undefined if it is empty.
 *
 * @throws DomainError MALFORMED_JSON, BODY_TOO_DEEP
 */
export function readJsonBody(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  // RFC 8259, section 8.1, requires UTF-8. Decoding would silently replace invalid bytes.
  if (!isUtf8(body)) throw new DomainError('MALFORMED_JSON');
  let parsed: unknown;
  try {
    // Also rejects keys for prototype pollution (`__proto__`, `constructor.prototype`).
    parsed = secureJsonParse.parse(body);
  } catch {
    throw new DomainError('MALFORMED_JSON');
  }
  if (isDeeperThan(DEPTH_LIMIT, parsed)) throw new DomainError('BODY_TOO_DEEP');
  return parsed;
}

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeperThan(levels - 1, item));
}
