import { ConcurrencyLimiter } from './concurrency-limiter.js';

describe('ConcurrencyLimiter', () => {
  it('gives each key its own permits, and a released one to the next request', () => {
    const limiter = new ConcurrencyLimiter(2, 'address');
    const release = limiter.acquire('ada');
    limiter.acquire('ada');
    expect(() => limiter.acquire('ada')).toThrow(
      expect.objectContaining({
        code: 'TOO_MANY_CONCURRENT_REQUESTS',
        rejectedBy: 'address',
      }) as Error,
    );
    limiter.acquire('bob');
    release();
    limiter.acquire('ada');
    expect(() => limiter.acquire('ada')).toThrow();
  });

  it('remembers no key without requests in progress', () => {
    const limiter = new ConcurrencyLimiter(2, 'address');
    const releases = ['ada', 'ada', 'bob'].map((key) => limiter.acquire(key));
    expect(limiter.size).toBe(2);
    releases.forEach((release) => release());
    expect(limiter.size).toBe(0);
  });
});
