import { newEvent } from '../../../src/events/event.js';
import { newObjectId } from '../../../src/shared/ids/object-id.js';
import { type Change, insert } from '../../../src/storage/changes.js';
import { NOT_STORED } from '../../../src/storage/collection.js';
import { attempted, DELIVERIES, newDelivery } from '../../../src/webhooks/delivery.js';
import { MESSAGES, newMessage } from '../../../src/webhooks/message.js';
import { WEBHOOKS } from '../../../src/webhooks/webhook.js';
import { withStore } from '../../with-store.js';

/** Deliveries that are stored by one commit. */
const BATCH_SIZE = 500;
/** As long as the message of a license. */
const BODY = JSON.stringify({ type: 'client.created', data: 'x'.repeat(1_500) });

interface Backlog {
  /** Deliveries of one webhook that are due. */
  readonly due: number;
  /** Other webhooks, each with a delivery that waits for its next attempt. */
  readonly waiting: number;
}

/** Stores deliveries with their messages while no service uses the store. */
export function addBacklog(env: NodeJS.ProcessEnv, webhookId: string, { due, waiting }: Backlog) {
  return withStore(
    env,
    async (store) => {
      const webhook = (await store.find(WEBHOOKS, { _id: webhookId }))!;
      const now = new Date();
      const subject = { accountId: webhook.accountId, _id: newObjectId(), name: 'Acme Ltd' };
      const newHandedOn = () => {
        const message = newMessage(newEvent('client.created', subject, now), BODY);
        return { ...message, status: 'handed_on' } as const;
      };
      const oneDue = () => {
        const message = newHandedOn();
        return [insert(MESSAGES, message), insert(DELIVERIES, newDelivery(webhook, message, now))];
      };
      const failure = { responseStatus: null, error: 'connection_failed' } as const;
      const oneWaiting = () => {
        const message = newHandedOn();
        const other = { ...webhook, _id: newObjectId(), version: NOT_STORED };
        const failed = { ...newDelivery(other, message, now), attempts: 3 };
        return [
          insert(WEBHOOKS, other),
          insert(MESSAGES, message),
          insert(DELIVERIES, attempted(failed, failure, now)),
        ];
      };
      const addAll = async (count: number, one: () => Change[]) => {
        for (let left = count; left > 0; left -= BATCH_SIZE) {
          const batch = Array.from({ length: Math.min(left, BATCH_SIZE) }, one);
          await store.commit(batch.flat());
        }
      };
      await addAll(waiting, oneWaiting);
      await addAll(due, oneDue);
    },
    'exclusive tool',
  );
}
