import { anEvent } from '../../test/builders/event.builder.js';
import { at } from '../../test/builders/time.js';
import { ModelStore } from '../../test/contract/model-store.js';
import { newAccountId } from '../shared/ids/account-id.js';
import { newObjectId } from '../shared/ids/object-id.js';
import type { Page } from '../shared/pagination/page.js';
import { insert } from '../storage/changes.js';
import { type Event, EVENTS } from './event.js';
import { EventsService } from './events.service.js';

it('The events of a type are all on its pages, however many others are between them', async () => {
  const [account, store] = [newAccountId(), new ModelStore()];
  const service = new EventsService(store);
  const wanted = [0, 1, 1_001];
  const events = Array.from({ length: 1_002 }, (_, index) => {
    const type = wanted.includes(index) ? 'license.revoked' : 'license.activated';
    const time = new Date(at(0).getTime() + index);
    return anEvent({ user: account, _id: newObjectId() }, type, { at: time });
  });
  await store.commit(events.map((event) => insert(EVENTS, event)));
  for (const limit of [1, 2, 3]) {
    const found: Event[] = [];
    let page: Page<Event> = { data: [], next: null };
    do {
      const request = { limit, after: page.next ?? undefined };
      page = await service.list(account, { type: ['license.revoked'] }, request, 'asc');
      expect(page.data.length).toBeLessThanOrEqual(limit);
      found.push(...page.data);
    } while (page.next);
    expect(found.map(({ _id }) => _id)).toEqual(wanted.map((index) => events[index]!._id));
  }
});
