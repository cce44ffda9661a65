import { Injectable, type PipeTransform } from '@nestjs/common';
import { DataKeys } from '../sealing/data-keys.js';
import { validationError } from '../errors/validation-error.js';
import type { AccountId } from '../ids.js';
import { Clock } from '../time/clock.js';
import { IDEMPOTENCY_TTL_MS, type IdempotencyRecord } from './idempotency-record.js';

const MAX_LENGTH = 255;

/** The parts of a request that determine its idempotency record. */
export interface IdempotentRequest {
  readonly header: string | undefined;
  readonly accountId: AccountId;
  /** The id of the member or API key; keys of different callers are independent. */
  readonly principal: string;
  /** Method, path and body, which must be the same when a key is repeated. */
  readonly request: readonly unknown[];
}

/** Turns the Idempotency-Key header of an authenticated request into an idempotency record. */
@Injectable()
export class IdempotencyPipe implements PipeTransform<IdempotentRequest> {
  constructor(
    private readonly dataKeys: DataKeys,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError VALIDATION_ERROR */
  transform({ header, accountId, principal, request }: IdempotentRequest) {
    if (header === undefined) return undefined;
    const key = parseIdempotencyKey(header);
    if (key === undefined) {
      throw validationError({
        'Idempotency-Key': ['Idempotency-Key must be 1 to 255 printable ASCII characters'],
      });
    }
    const createdAt = this.clock.now();
    const record: IdempotencyRecord = {
      _id: this.dataKeys.hash('idempotency', 'claim', principal, key),
      owner: accountId,
      requestHash: this.dataKeys.hash('idempotency', 'request', ...request.map(inOrder)),
      createdAt,
      expiresAt: new Date(createdAt.getTime() + IDEMPOTENCY_TTL_MS),
    };
    return record;
  }
}

/** A JSON value with the members of its objects in one order, as their order has no meaning. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, inOrder(member)]));
}

/**
 * Parses the Idempotency-Key header: a quoted string (RFC 8941) as in the IETF draft, or a bare key.
 *
 * @returns undefined unless the key has 1 to 255 printable ASCII characters
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
