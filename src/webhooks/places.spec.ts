import { Places } from './places.js';

describe('Places', () => {
  let places: Places;
  beforeEach(() => (places = new Places()));

  const webhook = (_id: string, accountId = 'account') => ({ _id, accountId });
  const fill = (receiver: { _id: string; accountId: string }) => {
    const free = places.freeFor(receiver);
    for (let taken = 0; taken < free; taken += 1) places.take(receiver);
    return free;
  };

  it('are 4 of a webhook, 8 of an account and 64 in all', () => {
    expect(['a', 'b', 'c'].map((id) => fill(webhook(id)))).toEqual([4, 4, 0]);
    const others = Array.from({ length: 16 }, (_, index) => webhook(`${index}`, `of ${index}`));
    expect(others.map(fill)).toEqual([...Array<number>(14).fill(4), 0, 0]);
    expect(places.isFull).toBe(true);
    places.free(webhook('a'));
    expect([places.isFull, places.freeFor(webhook('c'))]).toEqual([false, 1]);
  });

  it('are one of a webhook whose last attempt timed out', () => {
    places.setSlow(webhook('a'), true);
    expect([fill(webhook('a')), fill(webhook('b'))]).toEqual([1, 4]);
    places.setSlow(webhook('a'), false);
    expect(places.freeFor(webhook('a'))).toBe(3);
  });

  it('are 32 of all webhooks whose last attempts timed out, so that the others keep as many', () => {
    const slow = Array.from({ length: 40 }, (_, index) => webhook(`${index}`, `of ${index}`));
    slow.forEach((each) => places.setSlow(each, true));
    expect(slow.map(fill).filter((free) => free === 1)).toHaveLength(32);
    expect(fill(webhook('other'))).toBe(4);
    places.free(slow[0]!);
    expect(fill(slow[32]!)).toBe(1);
  });
});
