import { Slots } from './slots.js';

describe('Slots', () => {
  let slots: Slots;
  beforeEach(() => (slots = new Slots()));

  const webhook = (_id: string, accountId = 'account') => ({ _id, accountId });
  const fill = (receiver: { _id: string; accountId: string }) => {
    const free = slots.freeFor(receiver);
    for (let taken = 0; taken < free; taken += 1) slots.take(receiver);
    return free;
  };

  it('number 4 per webhook, 8 per account and 64 in total', () => {
    expect(['a', 'b', 'c'].map((id) => fill(webhook(id)))).toEqual([4, 4, 0]);
    const others = Array.from({ length: 16 }, (_, index) => webhook(`${index}`, `of ${index}`));
    expect(others.map(fill)).toEqual([...Array<number>(14).fill(4), 0, 0]);
    expect(slots.isFull).toBe(true);
    slots.free(webhook('a'));
    expect([slots.isFull, slots.freeFor(webhook('c'))]).toEqual([false, 1]);
  });

  it('shrink to one for a webhook whose last attempt timed out', () => {
    slots.setSlow(webhook('a'), true);
    expect([fill(webhook('a')), fill(webhook('b'))]).toEqual([1, 4]);
    slots.setSlow(webhook('a'), false);
    expect(slots.freeFor(webhook('a'))).toBe(3);
  });

  it('number 32 for all webhooks whose last attempts timed out, leaving as many for the others', () => {
    const slow = Array.from({ length: 40 }, (_, index) => webhook(`${index}`, `of ${index}`));
    slow.forEach((each) => slots.setSlow(each, true));
    expect(slow.map(fill).filter((free) => free === 1)).toHaveLength(32);
    expect(fill(webhook('other'))).toBe(4);
    slots.free(slow[0]!);
    expect(fill(slow[32]!)).toBe(1);
  });
});
