import { FixedWindows, REMEMBERED } from './fixed-windows.js';
import { MemoryRateLimitWindows } from './memory-rate-limit-windows.js';
import type { NamedLimit } from './rate-limit-windows.js';

const MINUTE = 60_000;

describe('FixedWindows', () => {
  let windows: FixedWindows;
  const begin = (key: string, now: number) =>
    windows.add(key, { hits: 1, beganAt: now, endsAt: now + MINUTE });
  beforeEach(() => {
    windows = new FixedWindows();
  });

  it('find the open window of each key, until it ends', () => {
    const [a, b] = [begin('a', 1000), begin('b', 2000)];
    expect(windows.find('a', 1000)).toBe(a);
    expect(windows.find('a', 1000 + MINUTE - 1)).toBe(a);
    expect(windows.find('a', 1000 + MINUTE)).toBeUndefined();
    expect(windows.find('b', 1000 + MINUTE)).toBe(b);
    expect(windows.find('c', 1000)).toBeUndefined();
  });

  it('find no window that begins in the future, as the clock was set back', () => {
    begin('a', 1000);
    expect(windows.find('a', 999)).toBeUndefined();
  });
});

const NOW = new Date();
const ONCE: NamedLimit = { name: 'unknownKeys', requests: 1, seconds: 900 };

// Its windows are those of test/contract/limits/rate-limit-windows.cases.ts.
describe('MemoryRateLimitWindows', () => {
  it('remembers a bounded number of keys of each limit, and forgets the least recently used one', async () => {
    const windows = new MemoryRateLimitWindows();
    const hit = async (key: string, limit = ONCE) => (await windows.hit(limit, key, NOW)).hits;
    // It counts before it returns; to await each would take seconds.
    const hitOthers = (name: string) => {
      for (let i = 1; i < REMEMBERED; i++) void windows.hit(ONCE, `${name} ${i}`, NOW);
    };
    const other: NamedLimit = { ...ONCE, name: 'writes' };
    expect([await hit('victim'), await hit('victim')]).toEqual([1, 2]);
    expect([await hit('victim', other), await hit('victim', other)]).toEqual([1, 2]);
    hitOthers('address');
    expect(await hit('victim')).toBe(2);
    hitOthers('other');
    await hit('one more');
    expect(await hit('victim')).toBe(1);
    expect(await hit('victim', other)).toBe(2);
  });
});
