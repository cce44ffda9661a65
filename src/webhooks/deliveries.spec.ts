import { beforeEachCommit } from '../../test/before-next-commit.js';
import { aPrincipal, aUser } from '../../test/builders.js';
import { inRequest } from '../../test/contract/in-request.js';
import { useServices } from '../../test/services.js';
import { EVENTS, newEvent, record } from '../events/event.js';
import { type AccountId, newObjectId } from '../shared/ids.js';
import { TOTALS } from '../shared/quotas/account-totals.js';
import { DataKeys } from '../shared/sealing/data-keys.js';
import { increment, insert, remove } from '../storage/changes.js';
import { Decisions } from '../storage/decisions.js';
import { isCoveredByIndex, readFilter } from '../storage/filter.js';
import { turnOfRead } from '../storage/turns.js';
import { Backlogs } from './backlogs.job.js';
import {
  DELIVERIES,
  DELIVERIES_PER_COMMIT,
  type Delivery,
  dueNow,
  leased,
  MESSAGES,
  newDelivery,
  newMessage,
  type Outcome,
} from './delivery.js';
import { Deliveries } from './deliveries.job.js';
import { DeliveryAttempts } from './delivery-attempts.service.js';
import { FanOuts } from './fan-outs.job.js';
import { newSecret, sealedSecret } from './secrets.js';
import { Sender } from './sending/sender.js';
import { updatedWebhook, newWebhook, subjectOf, type Webhook, WEBHOOKS } from './webhook.js';
import { WebhooksService } from './webhooks.service.js';

const FIELDS = { url: 'https://shop.example/', types: ['*'], description: null };
const GONE = { responseStatus: 410, response: '', error: 'unexpected_status' } as const;
const DELIVERED = { responseStatus: 200, response: 'ok', error: null } as const;

describe('The deliveries of a webhook', () => {
  const { store, clock, the, put, stored, add, change, addAccount, inSession } = useServices();
  let send: jest.SpiedFunction<Sender['send']>;
  let accountId: AccountId;
  let webhook: Webhook;
  beforeEach(async () => {
    accountId = (await addAccount()).account;
    webhook = await addWebhook();
    send = jest.spyOn(the(Sender), 'send');
  });

  const addWebhook = (owner = accountId) => {
    const shown = newWebhook(aPrincipal(aUser({ account: owner })), FIELDS, clock.now());
    const secret = sealedSecret(the(DataKeys).sealing, shown._id, newSecret());
    return add(WEBHOOKS, { ...shown, secrets: [secret] });
  };
  /** Pending deliveries. */
  const pending = (to: Webhook, count: number) =>
    Array.from({ length: count }, () =>
      newDelivery(to, { _id: newObjectId(), type: 'plan.created' }, clock.now()),
    );

  /** Stores a due message to the webhook. */
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
    await change(WEBHOOKS, webhook, updatedWebhook(before, { status }, clock.now()));
  };
  const work = async () => {
    while (await the(Deliveries).step());
    await the(Deliveries).waitForAttempts();
  };

  it('ignore the outcome of an attempt whose lease has expired, because another instance has it', async () => {
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

  it('do not affect a re-enabled webhook if an earlier attempt fails', async () => {
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

  it('that are too many for one commit are inserted soon after, none is lost, and accounts take turns', async () => {
    const other = await addWebhook((await addAccount()).account);
    await Promise.all(Array.from({ length: 19 }, () => addWebhook()));
    const commit = jest.spyOn(store, 'commit');
    const issue = ({ accountId, _id }: Webhook, count: number) => {
      const events = Array.from({ length: count }, () =>
        record('plan.updated', { accountId, _id, name: 'Basic' }, clock.now()),
      );
      return the(Decisions).commit(events);
    };
    await issue(webhook, 100);
    await issue(other, 101);
    expect(store.all(DELIVERIES)).toEqual([]);
    await the(FanOuts).step();
    expect(store.all(DELIVERIES).filter(({ webhook: to }) => to === other._id)).toHaveLength(100);
    while (await the(FanOuts).step());
    expect(new Set(store.all(DELIVERIES).map((one) => `${one.event} ${one.webhook}`)).size).toBe(
      2_101,
    );
    expect(Math.max(...commit.mock.calls.map(([changes]) => changes.length))).toBeLessThan(250);
  });

  it('are read in the turn of the account', async () => {
    await deliver();
    const [list, newestOf] = [jest.spyOn(store, 'list'), jest.spyOn(store, 'newestOf')];
    const slice = { limit: 20, after: undefined };
    for (const status of [undefined, 'pending'] as const) {
      const page = await the(WebhooksService).listDeliveries(webhook._id, accountId, slice, status);
      expect(page.data).toHaveLength(1);
    }
    const countOf = await the(WebhooksService).countRecent(
      [webhook, await addWebhook()],
      accountId,
    );
    expect(countOf(webhook)).toEqual({ attempted: 0, delivered: 0 });
    expect(newestOf).not.toHaveBeenCalled();
    for (const [collection, filter, { by }] of list.mock.calls) {
      const read = readFilter(filter);
      expect(await inRequest(1_000, async () => turnOfRead(collection, read))).toBe(accountId);
      expect(isCoveredByIndex(collection, read, by)).toBe(true);
    }
  });

  it('fail if their webhook is disabled, even if they exceed one commit', async () => {
    const waiting = pending(webhook, DELIVERIES_PER_COMMIT + 1).map((one) =>
      leased(one, clock.now()),
    );
    await put(...waiting.map((delivery) => insert(DELIVERIES, delivery)));
    await setStatus('disabled');
    await put(dueNow(webhook, clock.now()));
    await work();
    expect(store.all(DELIVERIES).filter(({ status }) => status === 'pending')).toEqual([]);
  });

  it('disable only the webhook with the most of them if the account exceeds its limit', async () => {
    const large = await addWebhook();
    const waiting = [...pending(webhook, 2), ...pending(large, 3)];
    await put(...waiting.map((delivery) => insert(DELIVERIES, delivery)));
    await the(Backlogs).limitPending(accountId, 5);
    expect(store.all(EVENTS)).toEqual([]);
    await the(Backlogs).limitPending(accountId, 4);
    expect(await stored(WEBHOOKS, webhook)).toMatchObject({ disabledReason: null });
    expect(await stored(WEBHOOKS, large)).toMatchObject({ disabledReason: 'backlog' });
    expect(store.all(EVENTS)).toMatchObject([
      { type: 'webhook.disabled', subject: large._id, data: { reason: 'backlog' } },
    ]);
  });

  describe('R14: in progress', () => {
    /** The attempts in progress, with the callbacks that end them. */
    let held: { readonly _id: string; readonly end: (outcome: Outcome | null) => void }[];
    beforeEach(() => {
      held = [];
      jest
        .spyOn(the(DeliveryAttempts), 'send')
        .mockImplementation(
          ({ _id }) => new Promise((resolve) => held.push({ _id, end: resolve })),
        );
    });
    afterEach(() => endAll(null));

    const endAll = async (outcome: Outcome | null) => {
      held.splice(0).forEach(({ end }) => end(outcome));
      await the(Deliveries).waitForAttempts();
    };
    /** Visits all accounts, including those before the end of the last round. */
    const start = async () => {
      for (let round = 0; round < 2; round += 1) while (await the(Deliveries).step());
    };
    /** One webhook on each of many accounts, each with due deliveries. */
    const addWebhooks = async (accounts: number, due: number) => {
      const webhooks: Webhook[] = [];
      for (let added = 0; added < accounts; added += 1) {
        webhooks.push(await addWebhook((await addAccount()).account));
      }
      for (const each of webhooks) await addDue(each, due);
      return webhooks;
    };
    const addDue = (to: Webhook, count: number) =>
      put(...pending(to, count).map((delivery) => insert(DELIVERIES, delivery)));
    const heldOf = (webhooks: readonly Webhook[]) =>
      webhooks.map(({ _id }) => held.filter((one) => one._id === _id).length);

    it('are limited to 4 per webhook, 8 per account and 64 in total', async () => {
      const own = [webhook, await addWebhook(), await addWebhook()];
      for (const each of own) await addDue(each, 5);
      await start();
      expect(heldOf(own)).toEqual([4, 4, 0]);
      const others = await addWebhooks(16, 5);
      await start();
      expect(heldOf(others)).toEqual([...Array<number>(14).fill(4), 0, 0]);
      held[0]!.end(null);
      await new Promise(setImmediate);
      await start();
      expect(held).toHaveLength(65);
    });

    it('are limited to 1 per webhook whose last attempt took a second or longer, and 32 for all such webhooks', async () => {
      const slow = await addWebhooks(40, 1);
      await start();
      clock.advance({ seconds: 1 });
      await endAll(DELIVERED);
      for (const each of slow) await addDue(each, 2);
      await addDue(webhook, 5);
      await start();
      expect(heldOf(slow)).toEqual([...Array<number>(32).fill(1), ...Array<number>(8).fill(0)]);
      expect(heldOf([webhook])).toEqual([4]);
      await endAll(DELIVERED);
      await addDue(slow[0]!, 2);
      await start();
      expect(heldOf(slow.slice(0, 1))).toEqual([3]);
    });

    it('free their slots after a second, up to 256 in total', async () => {
      const hanging = await addWebhooks(16, 5);
      for (const { accountId: owner } of hanging) await addDue(await addWebhook(owner), 5);
      await start();
      await addDue(webhook, 1);
      await start();
      expect(heldOf([webhook])).toEqual([0]);
      clock.advance({ seconds: 1 });
      await start();
      expect([held.length, heldOf([webhook])]).toEqual([128, [1]]);
      await addWebhooks(64, 4);
      for (let second = 0; second < 4; second += 1) {
        clock.advance({ seconds: 1 });
        await start();
      }
      expect(held).toHaveLength(256);
    });

    it('start in account turns, however many webhooks each has', async () => {
      const accounts = await addWebhooks(8, 4);
      for (const { accountId: owner } of accounts) {
        for (let more = 0; more < 9; more += 1) await addDue(await addWebhook(owner), 4);
      }
      await start();
      await addDue(webhook, 1);
      let ended = 0;
      while (heldOf([webhook])[0] === 0) {
        held[ended++]!.end(null);
        await new Promise(setImmediate);
        await start();
      }
      expect(ended).toBeLessThanOrEqual(8);
      // The webhooks of an account also take turns.
      expect(new Set(held.map(({ _id }) => _id)).size).toBeGreaterThan(16);
    });
  });

  it('omit the event that disables or deletes their webhook, while other webhooks receive it', async () => {
    const owner = await inSession(await addAccount());
    const create = async () => (await the(WebhooksService).create(owner, FIELDS)).webhook;
    const [disabled, deleted, other] = [await create(), await create(), await create()];
    await put(...store.all(DELIVERIES).map((delivery) => remove(DELIVERIES, delivery)));
    await the(WebhooksService).update(disabled._id, owner, { status: 'disabled' });
    await the(WebhooksService).delete(deleted._id, owner);
    expect(store.all(DELIVERIES).map(({ webhook: at, type }) => [at, type])).toEqual([
      [other._id, 'webhook.updated'],
      [other._id, 'webhook.deleted'],
    ]);
  });

  it('are counted on their webhook while the account writes licenses', async () => {
    const owner = await inSession(await addAccount());
    beforeEachCommit(store, increment(TOTALS, owner.accountId, { licensesCount: 1 }));
    const create = () => the(WebhooksService).create(owner, FIELDS);
    const { webhook: created } = await inRequest(400, create);
    const count = async () => (await store.find(TOTALS, { _id: owner.accountId }))?.webhooksCount;
    expect(await count()).toBe(1);
    await inRequest(400, () => the(WebhooksService).delete(created._id, owner));
    expect(await count()).toBe(0);
  });
});
