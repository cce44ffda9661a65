import { anEvent, aPrincipal, at, aUser } from '../../test/builders.js';
import { ModelStore } from '../../test/contract/model-store.js';
import { readPages } from '../../test/read-pages.js';
import { newObjectId } from '../shared/ids.js';
import { insert } from '../storage/changes.js';
import { EVENTS } from './event.js';
import { EventsService } from './events.service.js';

it('Pages of one event type contain every such event, however many others are in between', async () => {
  const [owner, store] = [aPrincipal(aUser()), new ModelStore()];
  const service = new EventsService(store);
  const wanted = [0, 1, 251];
  const events = Array.from({ length: 252 }, (_, index) => {
    const type = wanted.includes(index) ? 'license.revoked' : 'license.activated';
    const time = new Date(at(0).getTime() + index);
    return anEvent({ user: owner.accountId, _id: newObjectId() }, type, { at: time });
  });
  await store.commit(events.map((event) => insert(EVENTS, event)));
  const list = jest.spyOn(store, 'list');
  for (const limit of [1, 2, 3]) {
    const pages = await readPages(limit, (page) =>
      service.list(owner, { type: ['license.revoked'] }, page, 'asc'),
    );
    expect(Math.max(...pages.map(({ length }) => length))).toBeLessThanOrEqual(limit);
    const found = pages.flat().map(({ _id }) => _id);
    expect(found).toEqual(wanted.map((index) => events[index]!._id));
  }
  // A page of large events takes longer, at the expense of other requests.
  expect(Math.max(...list.mock.calls.map(([, , , { limit }]) => limit))).toBe(251);
});
