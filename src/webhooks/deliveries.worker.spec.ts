import { useServices } from '../../test/services.js';
import { newEvent } from '../events/event.js';
import { newObjectId } from '../shared/ids/object-id.js';
import { DataKeys } from '../shared/sealing/data-keys.js';
import { insert, MAX_BATCH_SIZE } from '../storage/changes.js';
import { DELIVERIES, type Delivery, dueNow, leased, newDelivery } from './delivery.js';
import { DeliveriesWorker } from './deliveries.worker.js';
import { MESSAGES, newMessage } from './message.js';
import { newSecret, sealedSecret } from './secrets.js';
import { Sender } from './sending/sender.js';
import { changed, newWebhook, subjectOf, type Webhook, WEBHOOKS } from './webhook.js';

const FIELDS = { url: 'https://shop.example/', types: ['*'], description: null };
const GONE = { responseStatus: 410, error: 'unexpected_status', isSlow: false } as const;

describe('DeliveriesWorker', () => {
  const { store, clock, the, put, stored, add, change, addAccount } = useServices();
  let send: jest.SpiedFunction<Sender['send']>;
  let webhook: Webhook;
  beforeEach(async () => {
    const { account: accountId } = await addAccount();
    const shown = newWebhook({ accountId, type: 'user' }, FIELDS, clock.now());
    const secret = sealedSecret(the(DataKeys).sealing, shown._id, newSecret());
    webhook = await add(WEBHOOKS, { ...shown, secrets: [secret] });
    send = jest.spyOn(the(Sender), 'send');
  });

  /** Stores a message that is due to the webhook. */
  const deliver = () => {
    const now = clock.now();
    const message = newMessage(newEvent('webhook.test', subjectOf(webhook), now), '{}');
    return put(insert(MESSAGES, message), insert(DELIVERIES, newDelivery(webhook, message, now)));
  };
  const setStatus = async (status: Webhook['status']) => {
    const before = await stored(WEBHOOKS, webhook);
    await change(WEBHOOKS, webhook, changed(before, { status }, clock.now()));
  };
  const work = async () => {
    while (await the(DeliveriesWorker).step());
    await the(DeliveriesWorker).settle();
  };

  it('stores no outcome of an attempt whose lease has ended: another instance has it', async () => {
    await deliver();
    send.mockImplementationOnce(async () => {
      clock.advance({ seconds: 31 });
      const [delivery] = store.all(DELIVERIES) as [Delivery];
      await change(DELIVERIES, delivery, leased(delivery, clock.now()));
      return GONE;
    });
    await work();
    expect(store.all(DELIVERIES)).toMatchObject([{ status: 'pending', attempts: 0 }]);
    expect(store.all(WEBHOOKS)).toMatchObject([{ status: 'enabled' }]);
  });

  it('leaves a webhook that was enabled anew as it is, where an attempt of before fails', async () => {
    await deliver();
    send.mockImplementationOnce(async () => {
      await setStatus('disabled');
      await setStatus('enabled');
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
    await put(...waiting.map((delivery) => insert(DELIVERIES, delivery)));
    await setStatus('disabled');
    await put(dueNow(webhook._id));
    await work();
    expect(store.all(DELIVERIES).filter(({ status }) => status === 'pending')).toEqual([]);
  });
});
