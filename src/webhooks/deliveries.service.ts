import { Injectable } from '@nestjs/common';
import { DomainError } from '../shared/errors/domain-error.js';
import type { IdempotencyRecord } from '../shared/idempotency/idempotency-record.js';
import type { AccountId } from '../shared/ids/account-id.js';
import { NEWEST_FIRST, type Page, type PageRequest, readPage } from '../shared/pagination/page.js';
import { Clock } from '../shared/time/clock.js';
import { replace } from '../storage/changes.js';
import { Decisions } from '../storage/decisions.js';
import { Store } from '../storage/store.js';
import { requestedAgain, DELIVERIES, type Delivery } from './delivery.js';
import { Deliveries } from './deliveries.job.js';
import { WebhooksService } from './webhooks.service.js';

/** The deliveries of a webhook. */
@Injectable()
export class DeliveriesService {
  constructor(
    private readonly store: Store,
    private readonly webhooks: WebhooksService,
    private readonly decisions: Decisions,
    private readonly job: Deliveries,
    private readonly clock: Clock,
  ) {}

  /** A page of them, the newest first. @throws DomainError WEBHOOK_NOT_FOUND */
  async list(webhook: string, accountId: AccountId, page: PageRequest): Promise<Page<Delivery>> {
    await this.webhooks.get(webhook, accountId);
    return readPage(this.store, DELIVERIES, { accountId, webhook }, NEWEST_FIRST, page);
  }

  /** Sends a delivery again, whatever has become of it. @throws DomainError WEBHOOK_NOT_FOUND, DELIVERY_NOT_FOUND, WEBHOOK_DISABLED */
  async redeliver(
    _id: string,
    webhook: string,
    accountId: AccountId,
    idempotency?: IdempotencyRecord,
  ): Promise<Delivery> {
    const decide = async () => {
      const { status, term } = await this.webhooks.get(webhook, accountId);
      const before = await this.store.find(DELIVERIES, { _id });
      if (before?.webhook !== webhook) throw new DomainError('DELIVERY_NOT_FOUND');
      if (status === 'disabled') throw new DomainError('WEBHOOK_DISABLED');
      const delivery = requestedAgain(before, term, this.clock.now());
      return { result: delivery, changes: [replace(DELIVERIES, before, delivery)] };
    };
    const delivery = await this.decisions.run(decide, { idempotency, key: webhook });
    this.job.wake();
    return delivery;
  }
}
