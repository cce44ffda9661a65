import { newEvent } from '../../../src/events/event.js';
import { newObjectId } from '../../../src/shared/ids/object-id.js';
import { insert } from '../../../src/storage/changes.js';
import { DELIVERIES, newDelivery } from '../../../src/webhooks/delivery.js';
import { MESSAGES, newMessage } from '../../../src/webhooks/message.js';
import { WEBHOOKS } from '../../../src/webhooks/webhook.js';
import { withStore } from '../../with-store.js';

const BATCH_SIZE = 500;
/** The size of a message of a license, in bytes. */
const BODY = JSON.stringify({ type: 'client.created', data: 'x'.repeat(1_500) });

/** Stores deliveries of a webhook that are due, with their messages, while no service uses the store. */
export function addBacklog(env: NodeJS.ProcessEnv, webhookId: string, count: number) {
  return withStore(
    env,
    async (store) => {
      const webhook = (await store.find(WEBHOOKS, { _id: webhookId }))!;
      const now = new Date();
      const subject = { accountId: webhook.accountId, _id: newObjectId(), name: 'Acme Ltd' };
      const ofOne = () => {
        const message = newMessage(newEvent('client.created', subject, now), BODY);
        return [
          insert(MESSAGES, { ...message, status: 'handed_on' }),
          insert(DELIVERIES, newDelivery(webhook, message, now)),
        ];
      };
      for (let left = count; left > 0; left -= BATCH_SIZE) {
        const batch = Array.from({ length: Math.min(left, BATCH_SIZE) }, ofOne);
        await store.commit(batch.flat());
      }
    },
    'exclusive tool',
  );
}
