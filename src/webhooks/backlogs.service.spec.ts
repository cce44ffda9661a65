import { ModelStore } from '../../test/contract/model-store.js';
import { FakeClock } from '../../test/fake-clock.js';
import { EVENTS } from '../events/event.js';
import { newAccountId } from '../shared/ids/account-id.js';
import { newObjectId } from '../shared/ids/object-id.js';
import { insert } from '../storage/changes.js';
import { Decisions } from '../storage/decisions.js';
import type { IdempotencyQuota } from '../storage/idempotency-quota.js';
import { Backlogs } from './backlogs.service.js';
import { DELIVERIES, newDelivery } from './delivery.js';
import { newWebhook, WEBHOOKS } from './webhook.js';

it('a backlog beyond the bound of an account disables the webhook that has most of it, and no other', async () => {
  const [store, clock, accountId] = [new ModelStore(), new FakeClock(), newAccountId()];
  const decisions = new Decisions(store, {} as IdempotencyQuota, clock);
  const backlogs = new Backlogs(store, decisions, clock);
  const now = clock.now();
  const fields = { url: 'https://shop.example/', types: ['*'], description: null };
  const webhooks = [2, 3].map((pending) => {
    const webhook = { ...newWebhook({ accountId, type: 'user' }, fields, now), secrets: [] };
    const message = () => ({ _id: newObjectId(), type: 'plan.created' }) as const;
    const deliveries = Array.from({ length: pending }, () => newDelivery(webhook, message(), now));
    return { webhook, deliveries };
  });
  await store.commit(
    webhooks.flatMap(({ webhook, deliveries }) => [
      insert(WEBHOOKS, webhook),
      ...deliveries.map((delivery) => insert(DELIVERIES, delivery)),
    ]),
  );
  const reasons = () => store.all(WEBHOOKS).map(({ disabledReason }) => disabledReason);
  await backlogs.bound(accountId, 5);
  expect(reasons()).toEqual([null, null]);
  await backlogs.bound(accountId, 4);
  expect(reasons().sort()).toEqual(['backlog', null]);
  expect(store.all(EVENTS)).toMatchObject([
    { type: 'webhook.disabled', subject: webhooks[1]!.webhook._id, data: { reason: 'backlog' } },
  ]);
});
