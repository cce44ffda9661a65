import { FakeClock } from '../../../test/fake-clock.js';
import { MemoryThrottlerStorage } from './memory-throttler.storage.js';

const SECONDS = 900;
const LIMIT = 5;

describe('MemoryThrottlerStorage', () => {
  let clock: FakeClock;
  let storage: MemoryThrottlerStorage;
  const request = (address = '192.0.2.1') => storage.increment(address, SECONDS * 1000, LIMIT);
  const requests = async (count: number, address?: string) => {
    for (let i = 0; i < count; i++) await request(address);
  };

  beforeEach(() => {
    clock = new FakeClock();
    storage = new MemoryThrottlerStorage(clock);
  });

  it('lets as many requests pass as the limit says, and counts them', async () => {
    for (let hits = 1; hits <= LIMIT; hits++) {
      expect(await request()).toEqual({
        totalHits: hits,
        timeToExpire: SECONDS,
        isBlocked: false,
        timeToBlockExpire: 0,
      });
    }
  });

  it('rejects the next one until the window of the first one ends', async () => {
    await requests(LIMIT);
    clock.advance({ seconds: 300 });
    expect(await request()).toEqual({
      totalHits: LIMIT,
      timeToExpire: 600,
      isBlocked: true,
      timeToBlockExpire: 600,
    });
  });

  it('is not lengthened by what it rejects', async () => {
    await requests(LIMIT);
    for (let second = 1; second < SECONDS; second++) {
      clock.advance({ seconds: 1 });
      expect(await request()).toMatchObject({
        isBlocked: true,
        timeToBlockExpire: SECONDS - second,
      });
    }
    clock.advance({ seconds: 1 });
    expect(await request()).toMatchObject({ isBlocked: false });
  });

  it('does not count what it rejects: a new window has room for all of the limit', async () => {
    await requests(LIMIT + 50);
    clock.advance({ seconds: SECONDS });
    await requests(LIMIT - 1);
    expect(await request()).toMatchObject({ totalHits: LIMIT, isBlocked: false });
    expect(await request()).toMatchObject({ isBlocked: true });
  });

  it('tells to wait for a begun second, too', async () => {
    await requests(LIMIT);
    clock.advance({ seconds: SECONDS - 0.001 });
    expect(await request()).toMatchObject({ isBlocked: true, timeToBlockExpire: 1 });
  });

  it('counts each address by itself', async () => {
    await requests(LIMIT + 1);
    expect(await request('192.0.2.2')).toMatchObject({ totalHits: 1, isBlocked: false });
  });

  it('keeps nobody out for longer than a window after the clock is set back (R9)', async () => {
    await requests(LIMIT);
    clock.advance({ seconds: -365 * 86_400 });
    expect(await request()).toMatchObject({ isBlocked: false, timeToExpire: SECONDS });
  });
});
