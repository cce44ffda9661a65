import { ConcurrencyLimiter } from './concurrency-limiter.js';

function errorOf(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

describe('ConcurrencyLimiter', () => {
  it('gives each key its own permits, and one more as soon as one is given back', () => {
    const limiter = new ConcurrencyLimiter(2);
    const release = limiter.acquire('ada');
    limiter.acquire('ada');
    const rejection = { code: 'TOO_MANY_CONCURRENT_REQUESTS', retryAfter: 1 };
    expect(errorOf(() => limiter.acquire('ada'))).toMatchObject(rejection);
    limiter.acquire('bob');
    release();
    limiter.acquire('ada');
    expect(() => limiter.acquire('ada')).toThrow();
  });

  it('remembers no key without requests in progress', () => {
    const limiter = new ConcurrencyLimiter(2);
    const releases = ['ada', 'ada', 'bob'].map((key) => limiter.acquire(key));
    expect(limiter.size).toBe(2);
    releases.forEach((release) => release());
    expect(limiter.size).toBe(0);
  });
});
