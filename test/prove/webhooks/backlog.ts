import { newEvent } from '../../../src/events/event.js';
import { newObjectId } from '../../../src/shared/ids/object-id.js';
import { type Change, insert } from '../../../src/storage/changes.js';
import { NOT_STORED } from '../../../src/storage/collection.js';
import {
  attempted,
  DELIVERIES,
  type Delivery,
  newDelivery,
} from '../../../src/webhooks/delivery.js';
import { MESSAGES, newMessage } from '../../../src/webhooks/message.js';
import { type Webhook, WEBHOOKS } from '../../../src/webhooks/webhook.js';
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
      const one = (of: Webhook, change: (delivery: Delivery) => Delivery) => {
        const message = newMessage(newEvent('client.created', subject, now), BODY);
        return [
          insert(MESSAGES, { ...message, status: 'handed_on' }),
          insert(DELIVERIES, change(newDelivery(of, message, now))),
        ];
      };
      const failure = { responseStatus: null, error: 'connection_failed' } as const;
      const oneWaiting = () => {
        const other = { ...webhook, _id: newObjectId(), version: NOT_STORED };
        const fail = (delivery: Delivery) => attempted({ ...delivery, attempts: 3 }, failure, now);
        return [insert(WEBHOOKS, other), ...one(other, fail)];
      };
      const addAll = async (count: number, one: () => Change[]) => {
        for (let left = count; left > 0; left -= BATCH_SIZE) {
          const batch = Array.from({ length: Math.min(left, BATCH_SIZE) }, one);
          await store.commit(batch.flat());
        }
      };
      await addAll(waiting, oneWaiting);
      await addAll(due, () => one(webhook, (delivery) => delivery));
    },
    'exclusive tool',
  );
}
