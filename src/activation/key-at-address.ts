import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { LicenseKeyService } from '../licenses/license-key.service.js';
import { addressOf } from '../server/client-address.js';
import { readJsonBody } from '../server/json-body.js';
import type { RateLimitKey } from '../rate-limits/route-limits.js';

/** Characters of a license key's hash, 96 bits: keyed, so nobody finds two keys that share them. */
const HASH_LENGTH = 16;

/** Counts the requests for each license key by address: many machines can share an address, and one in a loop ends at its key. */
@Injectable()
export class KeyAtAddress implements RateLimitKey {
  constructor(private readonly keys: LicenseKeyService) {}

  /** Undefined where the body, which has not been validated, has no license key. */
  of(request: FastifyRequest): string | undefined {
    const key = keyIn(request.body as Buffer | undefined);
    const normalKey = typeof key === 'string' ? this.keys.parse(key) : undefined;
    if (normalKey === undefined) return undefined;
    return `${this.keys.hash(normalKey).slice(0, HASH_LENGTH)} ${addressOf(request)}`;
  }
}

/** Requests are counted before their body is parsed, so malformed ones count towards the limit of the address. */
function keyIn(body: Buffer | undefined): unknown {
  try {
    return body && (readJsonBody(body) as { key?: unknown } | null | undefined)?.key;
  } catch {
    return undefined;
  }
}
