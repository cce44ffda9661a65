import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import secureJsonParse from 'secure-json-parse';
import { DomainError } from '../shared/errors/domain-error.js';

/** Largest request body, in bytes. */
export const BODY_LIMIT = 16 * 1024;
/** Deepest nesting of objects and arrays in a request body. */
export const DEPTH_LIMIT = 16;

/**
 * Stands for the body of a request that is to be rejected. It travels on in place of the body, so that the
 * guards, and with them the limits, come before the validation pipe throws its error.
 */
export class UnreadableBody {
  constructor(readonly error: DomainError) {}
}

/** Makes JSON the only content type that is accepted, read by {@link readJsonBody}. */
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

/** The parsed body; undefined for an empty one; a marker for one that cannot be read. Never throws. */
export function readJsonBody(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  // RFC 8259, section 8.1: JSON is UTF-8. Decoding would silently replace what is not.
  if (!isUtf8(body)) return unreadable('MALFORMED_JSON');
  let parsed: unknown;
  try {
    // Keys that reach for a prototype (`__proto__`, `constructor.prototype`) are rejected too.
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
