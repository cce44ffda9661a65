import { useServices } from '../../test/services.js';
import { EVENTS } from '../events/event.js';
import { newAccountId } from '../shared/ids/account-id.js';
import { newObjectId } from '../shared/ids/object-id.js';
import { Backlogs } from './backlogs.service.js';
import { DELIVERIES, newDelivery } from './delivery.js';
import { newWebhook, type Webhook, WEBHOOKS } from './webhook.js';

const { store, clock, the, stored, add } = useServices();

it('a backlog beyond the bound of an account disables the webhook that has most of it, and no other', async () => {
  const [accountId, now] = [newAccountId(), clock.now()];
  const fields = { url: 'https://shop.example/', types: ['*'], description: null };
  const addWebhook = async (pending: number) => {
    const shown = newWebhook({ accountId, type: 'user' }, fields, now);
    const webhook = await add(WEBHOOKS, { ...shown, secrets: [] });
    for (let left = pending; left > 0; left--) {
      const message = { _id: newObjectId(), type: 'plan.created' } as const;
      await add(DELIVERIES, newDelivery(webhook, message, now));
    }
    return webhook;
  };
  const [small, large] = [await addWebhook(2), await addWebhook(3)];
  const reasonOf = async (webhook: Webhook) => (await stored(WEBHOOKS, webhook)).disabledReason;
  await the(Backlogs).bound(accountId, 5);
  expect([await reasonOf(small), await reasonOf(large)]).toEqual([null, null]);
  await the(Backlogs).bound(accountId, 4);
  expect([await reasonOf(small), await reasonOf(large)]).toEqual([null, 'backlog']);
  expect(store.all(EVENTS)).toMatchObject([
    { type: 'webhook.disabled', subject: large._id, data: { reason: 'backlog' } },
  ]);
});
