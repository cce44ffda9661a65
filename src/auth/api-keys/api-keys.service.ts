import { Injectable } from '@nestjs/common';
import { record } from '../../events/event.js';
import { hashOfToken } from '../../links/link.js';
import { DomainError } from '../../shared/errors/domain-error.js';
import { validationError } from '../../shared/errors/validation-error.js';
import type { IdempotencyRecord } from '../../shared/idempotency/idempotency-record.js';
import { type AccountId, newRecord } from '../../shared/ids.js';
import { SecurityLog } from '../../shared/logging/security-log.js';
import { NEWEST_FIRST } from '../../shared/pagination/page.js';
import { TOTALS } from '../../shared/quotas/account-totals.js';
import { Clock } from '../../shared/time/clock.js';
import { startOfHour } from '../../shared/time/calendar.js';
import { type Change, insert, remove, replace, touch } from '../../storage/changes.js';
import { Decisions } from '../../storage/decisions.js';
import { getOwned, Store } from '../../storage/store.js';
import { withLiveAccess } from '../access/with-live-access.js';
import { MAX_WEBHOOKS, type Webhook, WEBHOOKS } from '../../webhooks/webhook.js';
import type { ApiKeyPrincipal, UserPrincipal } from '../principal.js';
import { API_KEYS, type ApiKey, isExpired, isSecret, MAX_API_KEYS, newSecret } from './api-key.js';

export interface CreatedApiKey {
  readonly apiKey: ApiKey;
  /** Null if an earlier request with the same idempotency key created it. */
  readonly secret: string | null;
}

@Injectable()
export class ApiKeysService {
  constructor(
    private readonly store: Store,
    private readonly decisions: Decisions,
    private readonly securityLog: SecurityLog,
    private readonly clock: Clock,
  ) {}

  async create(
    caller: UserPrincipal,
    fields: Pick<ApiKey, 'name' | 'scopes' | 'expiresAt'>,
    idempotency?: IdempotencyRecord,
  ): Promise<CreatedApiKey> {
    const { accountId, id: createdBy } = caller;
    const now = this.clock.now();
    if (fields.expiresAt && fields.expiresAt <= now) {
      throw validationError({ expiresAt: ['expiresAt must be in the future'] });
    }
    const secret = newSecret();
    const apiKey: ApiKey = {
      ...newRecord(),
      ...{ ...fields, accountId, createdBy, createdAt: now, lastUsedAt: null },
      ...{ secretHash: hashOfToken(secret), keyHint: secret.slice(-4) },
    };
    const decide = async (failed?: Change) => {
      if (failed?.collection === TOTALS) throw new DomainError('UNAUTHORIZED');
      const count = await this.store.count(API_KEYS, { accountId }, MAX_API_KEYS);
      if (count >= MAX_API_KEYS) throw new DomainError('API_KEY_QUOTA_REACHED');
      const changes = [
        touch(TOTALS, accountId),
        insert(API_KEYS, apiKey),
        record('api_key.created', apiKey, now, { data: fields }),
      ];
      return { result: apiKey, changes };
    };
    const key = `API keys of ${accountId}`;
    const created = await this.decisions.run(withLiveAccess(caller, decide), { idempotency, key });
    if (created !== apiKey) return { apiKey: created, secret: null };
    this.securityLog.record('api_key_created', { account: accountId, user: createdBy });
    return { apiKey, secret };
  }

  /** The API keys of an account, newest first; at most {@link MAX_API_KEYS}. */
  list(accountId: AccountId): Promise<ApiKey[]> {
    return this.store.list(API_KEYS, { accountId }, NEWEST_FIRST, { limit: MAX_API_KEYS });
  }

  /** The webhooks that a member or API key created, which outlive their creator. */
  async listWebhooksBy(creator: string, accountId: AccountId): Promise<Webhook[]> {
    const limit = MAX_WEBHOOKS;
    const all = await this.store.list(WEBHOOKS, { accountId }, NEWEST_FIRST, { limit });
    return all.filter(({ createdBy }) => createdBy.id === creator);
  }

  async delete(_id: string, caller: UserPrincipal): Promise<void> {
    const { accountId, id: user } = caller;
    const decide = async () => {
      const apiKey = await getOwned(this.store, API_KEYS, _id, accountId, 'API_KEY_NOT_FOUND');
      const event = record('api_key.deleted', apiKey, this.clock.now());
      return { result: undefined, changes: [remove(API_KEYS, apiKey), event] };
    };
    await this.decisions.run<void>(withLiveAccess(caller, decide), { key: _id });
    this.securityLog.record('api_key_deleted', { account: accountId, user });
  }

  /** The caller with this secret; null if no such key exists or it has expired. */
  async authenticate(secret: string): Promise<ApiKeyPrincipal | null> {
    if (!isSecret(secret)) return null;
    const apiKey = await this.store.find(API_KEYS, { secretHash: hashOfToken(secret) });
    const now = this.clock.now();
    if (!apiKey || isExpired(apiKey, now)) return null;
    const lastUsedAt = startOfHour(now);
    if (isBefore(apiKey.lastUsedAt, lastUsedAt)) {
      // If the write fails, the request still succeeds.
      const used = replace(API_KEYS, apiKey, { ...apiKey, lastUsedAt });
      await this.decisions.commit([used]).catch(() => undefined);
    }
    const { accountId, _id: id, name, scopes } = apiKey;
    return { accountId, type: 'api_key', id, name, scopes };
  }
}

const isBefore = (one: Date | null, other: Date) => one === null || one < other;
