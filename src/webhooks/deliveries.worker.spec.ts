import { ModelStore } from '../../test/contract/model-store.js';
import { FakeClock } from '../../test/fake-clock.js';
import { newEvent } from '../events/event.js';
import { newAccountId } from '../shared/ids/account-id.js';
import { newObjectId } from '../shared/ids/object-id.js';
import { NO_METRICS } from '../metrics/metrics.js';
import { newTotals, TOTALS } from '../shared/quotas/account-totals.js';
import { DataKeys } from '../shared/sealing/data-keys.js';
import { insert, MAX_BATCH_SIZE, replace } from '../storage/changes.js';
import { Decisions } from '../storage/decisions.js';
import type { IdempotencyQuota } from '../storage/idempotency-quota.js';
import { DELIVERIES, type Delivery, dueNow, leased, newDelivery } from './delivery.js';
import { DeliveryMetrics } from './delivery-metrics.js';
import { DeliveriesWorker } from './deliveries.worker.js';
import { MESSAGES, newMessage } from './message.js';
import { newSecret, sealedSecret } from './secrets.js';
import type { Sender } from './sending/sender.js';
import { changed, newWebhook, subjectOf, type Webhook, WEBHOOKS } from './webhook.js';

const FIELDS = { url: 'https://shop.example/', types: ['*'], description: null };
const GONE = { responseStatus: 410, error: 'unexpected_status', isSlow: false } as const;

describe('DeliveriesWorker', () => {
  const dataKeys = new DataKeys(Buffer.alloc(96, 1));
  const account = newAccountId();
  let send: jest.Mock;
  let store: ModelStore;
  let clock: FakeClock;
  let worker: DeliveriesWorker;
  let webhook: Webhook;
  beforeEach(async () => {
    send = jest.fn();
    store = new ModelStore();
    clock = new FakeClock();
    const decisions = new Decisions(store, {} as IdempotencyQuota, clock);
    const metrics = new DeliveryMetrics(store, clock, NO_METRICS);
    const sender = { send } as unknown as Sender;
    worker = new DeliveriesWorker(store, decisions, sender, dataKeys, metrics, clock);
    const shown = newWebhook({ accountId: account, type: 'user' }, FIELDS, clock.now());
    webhook = { ...shown, secrets: [sealedSecret(dataKeys.sealing, shown._id, newSecret())] };
    await store.commit([insert(TOTALS, newTotals(account)), insert(WEBHOOKS, webhook)]);
  });

  /** Stores a message that is due to the webhook. */
  const deliver = async () => {
    const now = clock.now();
    const message = newMessage(newEvent('webhook.test', subjectOf(webhook), now), '{}');
    const delivery = newDelivery(webhook, message, now);
    await store.commit([insert(MESSAGES, message), insert(DELIVERIES, delivery)]);
  };
  const change = async (...changes: Parameters<typeof changed>[1][]) => {
    const [before] = store.all(WEBHOOKS) as [Webhook];
    const after = changes.reduce<Webhook>((one, next) => changed(one, next, clock.now()), before);
    await store.commit([replace(WEBHOOKS, before, after)]);
  };
  const work = async () => {
    while (await worker.step());
    await worker.settle();
  };

  it('stores no outcome of an attempt whose lease has ended: another instance has it', async () => {
    await deliver();
    send.mockImplementationOnce(async () => {
      clock.advance({ seconds: 31 });
      const [delivery] = store.all(DELIVERIES) as [Delivery];
      await store.commit([replace(DELIVERIES, delivery, leased(delivery, clock.now()))]);
      return GONE;
    });
    await work();
    expect(store.all(DELIVERIES)).toMatchObject([{ status: 'pending', attempts: 0 }]);
    expect(store.all(WEBHOOKS)).toMatchObject([{ status: 'enabled' }]);
  });

  it('leaves a webhook that was enabled anew as it is, where an attempt of before fails', async () => {
    await deliver();
    send.mockImplementationOnce(async () => {
      await change({ status: 'disabled' }, { status: 'enabled' });
      return GONE;
    });
    await work();
    expect(send).toHaveBeenCalled();
    expect(store.all(WEBHOOKS)).toMatchObject([{ status: 'enabled', failingSince: null }]);
  });

  it('fails everything that waits for a disabled webhook, more than one commit has room for, too', async () => {
    const now = clock.now();
    const waiting = Array.from({ length: MAX_BATCH_SIZE + 1 }, () =>
      leased(newDelivery(webhook, { _id: newObjectId(), type: 'plan.created' }, now), now),
    );
    await store.commit(waiting.map((delivery) => insert(DELIVERIES, delivery)));
    await change({ status: 'disabled' });
    await store.commit([dueNow(webhook._id)]);
    await work();
    expect(store.all(DELIVERIES).filter(({ status }) => status === 'pending')).toEqual([]);
  });
});
