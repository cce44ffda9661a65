import { Injectable, type PipeTransform } from '@nestjs/common';
import { DataKeys } from '../sealing/data-keys.js';
import { validationError } from '../errors/validation-error.js';
import type { AccountId } from '../ids/account-id.js';
import { Clock } from '../time/clock.js';
import { IDEMPOTENCY_TTL_MS, type IdempotencyRecord } from './idempotency-record.js';
import { parseIdempotencyKey } from './idempotency-key.js';

/** The parts of a request that its idempotency record depends on. */
export interface IdempotentRequest {
  readonly key: string | undefined;
  readonly accountId: AccountId;
  /** The id of the member or the API key: a key of another caller is another one. */
  readonly principal: string;
  /** Method, path and body: a repeated key must be sent with the same ones. */
  readonly request: readonly unknown[];
}

/** Turns the header Idempotency-Key of an authenticated request into an idempotency record. */
@Injectable()
export class IdempotencyPipe implements PipeTransform<IdempotentRequest> {
  constructor(
    private readonly dataKeys: DataKeys,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError VALIDATION_ERROR */
  transform({
    key: header,
    accountId,
    principal,
    request,
  }: IdempotentRequest): IdempotencyRecord | undefined {
    if (header === undefined) return undefined;
    const key = parseIdempotencyKey(header);
    if (key === undefined) {
      throw validationError({
        'Idempotency-Key': ['Idempotency-Key must have 1 to 255 printable ASCII characters'],
      });
    }
    const createdAt = this.clock.now();
    return {
      _id: this.dataKeys.hash('idempotency', 'claim', principal, key),
      owner: accountId,
      requestHash: this.dataKeys.hash('idempotency', 'request', ...request),
      createdAt,
      expiresAt: new Date(createdAt.getTime() + IDEMPOTENCY_TTL_MS),
    };
  }
}
