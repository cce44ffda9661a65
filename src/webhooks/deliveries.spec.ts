import { beforeEachCommit } from '../../test/before-next-commit.js';
import { aPrincipal } from '../../test/builders.js';
import { inRequest } from '../../test/contract/in-request.js';
import { useServices } from '../../test/services.js';
import { EVENTS, newEvent } from '../events/event.js';
import type { AccountId } from '../shared/ids/account-id.js';
import { newObjectId } from '../shared/ids/object-id.js';
import { TOTALS } from '../shared/quotas/account-totals.js';
import { DataKeys } from '../shared/sealing/data-keys.js';
import { increment, insert, MAX_BATCH_SIZE, remove } from '../storage/changes.js';
import { isServedAlone } from '../storage/choose-index.js';
import { readFilter } from '../storage/filter.js';
import { readerOf } from '../storage/turns.js';
import { Backlogs } from './backlogs.job.js';
import { DELIVERIES, type Delivery, dueNow, leased, newDelivery } from './delivery.js';
import { DeliveriesService } from './deliveries.service.js';
import { Deliveries } from './deliveries.job.js';
import { MESSAGES, newMessage } from './message.js';
import { newSecret, sealedSecret } from './secrets.js';
import { Sender } from './sending/sender.js';
import { changed, newWebhook, subjectOf, type Webhook, WEBHOOKS } from './webhook.js';
import { WebhooksService } from './webhooks.service.js';

const FIELDS = { url: 'https://shop.example/', types: ['*'], description: null };
const GONE = { responseStatus: 410, error: 'unexpected_status', isSlow: false } as const;

describe('The deliveries of a webhook', () => {
  const { store, clock, the, put, stored, add, change, addAccount } = useServices();
  let send: jest.SpiedFunction<Sender['send']>;
  let accountId: AccountId;
  let webhook: Webhook;
  beforeEach(async () => {
    accountId = (await addAccount()).account;
    webhook = await addWebhook();
    send = jest.spyOn(the(Sender), 'send');
  });

  const addWebhook = () => {
    const shown = newWebhook({ accountId, type: 'user' }, FIELDS, clock.now());
    const secret = sealedSecret(the(DataKeys).sealing, shown._id, newSecret());
    return add(WEBHOOKS, { ...shown, secrets: [secret] });
  };
  /** Deliveries that wait. */
  const pending = (to: Webhook, count: number) =>
    Array.from({ length: count }, () =>
      newDelivery(to, { _id: newObjectId(), type: 'plan.created' }, clock.now()),
    );

  /** Stores a message that is due to the webhook. */
  const deliver = () => {
    const now = clock.now();
    const event = newEvent('webhook.test', subjectOf(webhook), now);
    return put(
      insert(MESSAGES, newMessage(event, '{}')),
      insert(DELIVERIES, newDelivery(webhook, event, now)),
    );
  };
  const setStatus = async (status: Webhook['status']) => {
    const before = await stored(WEBHOOKS, webhook);
    await change(WEBHOOKS, webhook, changed(before, { status }, clock.now()));
  };
  const work = async () => {
    while (await the(Deliveries).step());
    await the(Deliveries).settle();
  };

  it('keep no outcome of an attempt whose lease has ended: another instance has it', async () => {
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

  it('leave a webhook that was enabled anew as it is, where an attempt of before fails', async () => {
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

  it('are read in the turn of their account', async () => {
    await deliver();
    const list = jest.spyOn(store, 'list');
    const slice = { limit: 20, after: undefined };
    const page = await the(DeliveriesService).list(webhook._id, accountId, slice);
    expect(page.data).toHaveLength(1);
    const [[collection, filter, { by }]] = list.mock.calls as [Parameters<typeof store.list>];
    const read = readFilter(filter);
    expect(await inRequest(1_000, async () => readerOf(collection, read))).toBe(accountId);
    expect(isServedAlone(collection, read, by)).toBe(true);
  });

  it('fail where they wait for a disabled webhook, more than one commit has room for, too', async () => {
    const waiting = pending(webhook, MAX_BATCH_SIZE + 1).map((one) => leased(one, clock.now()));
    await put(...waiting.map((delivery) => insert(DELIVERIES, delivery)));
    await setStatus('disabled');
    await put(dueNow(webhook._id, clock.now()));
    await work();
    expect(store.all(DELIVERIES).filter(({ status }) => status === 'pending')).toEqual([]);
  });

  it('disable the webhook that has most of them beyond the bound of an account, and no other', async () => {
    const large = await addWebhook();
    const waiting = [...pending(webhook, 2), ...pending(large, 3)];
    await put(...waiting.map((delivery) => insert(DELIVERIES, delivery)));
    await the(Backlogs).bound(accountId, 5);
    expect(store.all(EVENTS)).toEqual([]);
    await the(Backlogs).bound(accountId, 4);
    expect(await stored(WEBHOOKS, webhook)).toMatchObject({ disabledReason: null });
    expect(await stored(WEBHOOKS, large)).toMatchObject({ disabledReason: 'backlog' });
    expect(store.all(EVENTS)).toMatchObject([
      { type: 'webhook.disabled', subject: large._id, data: { reason: 'backlog' } },
    ]);
  });
});

describe('A webhook', () => {
  const { store, the, put, addAccount } = useServices();

  it('receives no event of the change that disables or deletes it, while others do', async () => {
    const owner = aPrincipal(await addAccount());
    const webhooks = the(WebhooksService);
    const { webhook } = await webhooks.create(owner, FIELDS);
    const other = (await webhooks.create(owner, FIELDS)).webhook;
    await put(...store.all(DELIVERIES).map((one) => remove(DELIVERIES, one)));
    await webhooks.update(webhook._id, owner, { status: 'disabled' });
    const received = () => store.all(DELIVERIES).map(({ webhook: at, type }) => [at, type]);
    expect(received()).toEqual([[other._id, 'webhook.updated']]);
    await webhooks.delete(webhook._id, owner);
    expect(received().slice(1)).toEqual([[other._id, 'webhook.deleted']]);
  });

  it('is created and deleted while its account writes licenses', async () => {
    const owner = aPrincipal(await addAccount());
    beforeEachCommit(store, increment(TOTALS, owner.accountId, { licensesCount: 1 }));
    const webhooks = the(WebhooksService);
    const { webhook } = await inRequest(400, () => webhooks.create(owner, FIELDS));
    expect(store.all(TOTALS)).toMatchObject([{ webhooksCount: 1 }]);
    await inRequest(400, () => webhooks.delete(webhook._id, owner));
    expect(store.all(TOTALS)).toMatchObject([{ webhooksCount: 0 }]);
  });
});
