import { EVENTS, newEvent } from '../../../src/events/event.js';
import { toAccountId } from '../../../src/shared/ids/account-id.js';
import { newTotals, TOTALS } from '../../../src/shared/quotas/account-totals.js';
import { insert, remove } from '../../../src/storage/changes.js';
import type { AnyCollection } from '../../../src/storage/collection.js';
import { Decisions } from '../../../src/storage/decisions.js';
import type { IdempotencyQuota } from '../../../src/storage/idempotency-quota.js';
import type { Store } from '../../../src/storage/store.js';
import { DELIVERIES } from '../../../src/webhooks/delivery.js';
import { MESSAGES } from '../../../src/webhooks/message.js';
import { Messages } from '../../../src/webhooks/messages.service.js';
import { WEBHOOKS } from '../../../src/webhooks/webhook.js';
import type { LicensePresenter } from '../../../src/licenses/license.presenter.js';
import { FakeClock } from '../../fake-clock.js';
import { stores } from '../engines.js';
import { aShelf, SHELVES } from '../records.js';
import type { StoreUnderTest } from '../store-under-test.js';

const COLLECTIONS: AnyCollection[] = [TOTALS, EVENTS, WEBHOOKS, MESSAGES, DELIVERIES, SHELVES];

describe.each(stores)('the message of an event on $name', (engine) => {
  let opened: StoreUnderTest;
  let store: Store;
  let decisions: Decisions;
  beforeAll(async () => {
    opened = await engine.open(COLLECTIONS);
    ({ store } = opened);
    decisions = new Decisions(store, {} as IdempotencyQuota, new FakeClock());
    new Messages(store, decisions, {} as LicensePresenter).onModuleInit();
  });
  afterAll(() => opened.close());

  const accounts = { none: toAccountId('a'.repeat(24)), some: toAccountId('b'.repeat(24)) };
  beforeAll(async () => {
    await store.commit([
      insert(TOTALS, newTotals(accounts.none)),
      insert(TOTALS, { ...newTotals(accounts.some), webhooksCount: 1 }),
    ]);
  });
  const anEvent = (account: keyof typeof accounts) =>
    newEvent(
      'plan.created',
      { accountId: accounts[account], _id: 'c'.repeat(24), name: 'Team' },
      new FakeClock().now(),
    );
  const find = ({ _id }: { _id: string }) =>
    Promise.all([store.find(EVENTS, { _id }), store.find(MESSAGES, { _id })]);

  it('is stored in its commit where the account has webhooks, and else not', async () => {
    const [one, other] = [anEvent('some'), anEvent('none')];
    const changes = [insert(EVENTS, one), insert(EVENTS, other)];
    await decisions.run<void>(async () => ({ result: undefined, changes }));
    const [event, message] = await find(one);
    expect(event).toMatchObject({ type: 'plan.created' });
    expect(message).toMatchObject({ type: 'plan.created', status: 'pending', only: null });
    expect(JSON.parse(message!.body)).toMatchObject({
      ...{ type: 'plan.created', timestamp: one.at.toISOString(), data: { _id: one._id } },
    });
    expect(await find(other)).toEqual([expect.objectContaining({ _id: other._id }), null]);
  });

  it('is not stored where the commit fails', async () => {
    const event = anEvent('some');
    const absent = aShelf();
    const outcome = decisions.run<void>(async (failed) => {
      if (failed) throw new Error('It cannot be made');
      return { result: undefined, changes: [remove(SHELVES, absent), insert(EVENTS, event)] };
    });
    await expect(outcome).rejects.toThrow('It cannot be made');
    expect(await find(event)).toEqual([null, null]);
  });
});
