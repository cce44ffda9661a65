import { FakeClock } from '../../../test/fake-clock.js';
import { MemoryRateLimitWindows } from '../../shared/rate-limit/memory-rate-limit-windows.js';
import { toThrottlerKey, WindowsThrottlerStorage } from './windows-throttler.storage.js';

const SECONDS = 900;
const LIMIT = 5;

describe('WindowsThrottlerStorage', () => {
  let clock: FakeClock;
  let storage: WindowsThrottlerStorage;
  const request = (address = '192.0.2.1') =>
    storage.increment(toThrottlerKey('activation', address), SECONDS * 1000, LIMIT);
  const requests = async (count: number, address?: string) => {
    for (let i = 0; i < count; i++) await request(address);
  };

  beforeEach(() => {
    clock = new FakeClock();
    storage = new WindowsThrottlerStorage(new MemoryRateLimitWindows(), clock);
  });

  it('allows as many requests as the limit, and counts them', async () => {
    for (let hits = 1; hits <= LIMIT; hits++) {
      expect(await request()).toEqual({
        totalHits: hits,
        timeToExpire: SECONDS,
        isBlocked: false,
        timeToBlockExpire: 0,
      });
    }
  });

  it('rejects further requests until the window of the first one ends, and no longer', async () => {
    await requests(LIMIT);
    for (let left = SECONDS; left > 0; left--) {
      expect(await request()).toEqual({
        totalHits: LIMIT,
        timeToExpire: left,
        isBlocked: true,
        timeToBlockExpire: left,
      });
      clock.advance({ seconds: 1 });
    }
    expect(await request()).toMatchObject({ isBlocked: false });
  });

  it('does not count a rejected request', async () => {
    await requests(LIMIT + 50);
    clock.advance({ seconds: SECONDS });
    await requests(LIMIT - 1);
    expect(await request()).toMatchObject({ totalHits: LIMIT, isBlocked: false });
    expect(await request()).toMatchObject({ isBlocked: true });
  });

  it('rounds the wait up to a whole second', async () => {
    await requests(LIMIT);
    clock.advance({ seconds: SECONDS - 0.001 });
    expect(await request()).toMatchObject({ isBlocked: true, timeToBlockExpire: 1 });
  });

  it('counts each address separately', async () => {
    await requests(LIMIT + 1);
    expect(await request('192.0.2.2')).toMatchObject({ totalHits: 1, isBlocked: false });
  });

  it('rejects for at most one window after the clock is set back (R9)', async () => {
    await requests(LIMIT);
    clock.advance({ seconds: -365 * 86_400 });
    expect(await request()).toMatchObject({ isBlocked: false, timeToExpire: SECONDS });
  });
});
