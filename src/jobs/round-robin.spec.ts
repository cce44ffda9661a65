import { ModelStore } from '../../test/contract/model-store.js';
import { anItem, type Item, ITEMS } from '../../test/contract/records.js';
import { insert } from '../storage/changes.js';
import { RoundRobin } from './round-robin.js';

const [FIRST, SECOND, THIRD] = ['a', 'b', 'c'].map((one) => one.repeat(24)) as [
  string,
  string,
  string,
];

describe('RoundRobin', () => {
  let shelves: RoundRobin<Item>;
  let visited: string[];
  beforeEach(async () => {
    const store = new ModelStore();
    for (const shelf of [THIRD, FIRST, FIRST, SECOND]) {
      await store.commit([insert(ITEMS, anItem({ shelf }))]);
    }
    shelves = new RoundRobin(store, ITEMS, {}, 'shelf');
    visited = [];
  });

  const round = (isMore = true) =>
    shelves.round(async ({ shelf }) => {
      visited.push(shelf);
      return isMore;
    });

  it('visits each group once, and begins again after the last', async () => {
    expect(await round()).toBe(false);
    expect(visited).toEqual([FIRST, SECOND, THIRD]);
    await round();
    expect(visited).toHaveLength(6);
  });

  it('continues after the group at which a round was ended', async () => {
    await round(false);
    await round();
    expect(visited).toEqual([FIRST, SECOND, THIRD]);
  });
});
