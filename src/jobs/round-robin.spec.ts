import { ModelStore } from '../../test/contract/model-store.js';
import { anItem, ITEMS } from '../../test/contract/records.js';
import { insert } from '../storage/changes.js';
import { RoundRobin } from './round-robin.js';

it('RoundRobin visits each group once, continues where the last round stopped, and wraps around', async () => {
  const ids = ['a', 'b', 'c'].map((one) => one.repeat(24)) as [string, string, string];
  const store = new ModelStore();
  const shelves = [ids[2], ids[0], ids[0], ids[1]];
  await store.commit(shelves.map((shelf) => insert(ITEMS, anItem({ shelf }))));
  const groups = new RoundRobin(store, ITEMS, {}, 'shelf');
  const visited: string[] = [];
  const round = (isMore = true) =>
    groups.visitNext(async ({ shelf }) => {
      visited.push(shelf);
      return isMore;
    });
  await round(false);
  expect(groups.isMidway).toBe(true);
  expect(await round()).toBe(false);
  expect(groups.isMidway).toBe(false);
  expect(visited).toEqual(ids);
  await round();
  expect(visited).toHaveLength(6);
});
