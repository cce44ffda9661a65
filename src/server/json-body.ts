import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import secureJsonParse from 'secure-json-parse';
import { DomainError } from '../shared/errors/domain-error.js';

/** Largest request body, in bytes. */
export const BODY_LIMIT = 16 * 1024;
/** Deepest nesting of objects and arrays in a request body. */
export const DEPTH_LIMIT = 16;

/**
 * Replaces the body of a request that will be rejected. The validation pipe throws its error, after the guards
 * and their rate limits have run.
 */
export class UnreadableBody {
  constructor(readonly error: DomainError) {}
}

/** Makes JSON, parsed by {@link readJsonBody}, the only accepted content type. */
export function acceptJsonOnly(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    (_request, body, done) => {
      done(null, readJsonBody(body as Buffer));
    },
  );
}

/** The parsed body, undefined if it is empty, or an {@link UnreadableBody}. Never throws. */
export function readJsonBody(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  // RFC 8259, section 8.1: JSON is UTF-8. Decoding would silently replace invalid bytes.
  if (!isUtf8(body)) return unreadable('MALFORMED_JSON');
  let parsed: unknown;
  try {
    // Also rejects keys for prototype pollution (`__proto__`, `constructor.prototype`).
    parsed = secureJsonParse.parse(body);
  } catch {
    return unreadable('MALFORMED_JSON');
  }
  return isDeeperThan(DEPTH_LIMIT, parsed) ? unreadable('BODY_TOO_DEEP') : parsed;
}

const unreadable = (code: 'MALFORMED_JSON' | 'BODY_TOO_DEEP') =>
  new UnreadableBody(new DomainError(code));

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeperThan(levels - 1, item));
}
