import { FakeClock } from '../../test/fake-clock.js';
import type { Config } from '../shared/config/config.js';
import { type RequestContext, requestContext } from '../shared/http/request-context.js';
import { EmailConflictLimiter } from './email-conflict-limiter.js';

const LIMIT = 3;
const TOO_MANY = { code: 'TOO_MANY_REQUESTS' };

describe('EmailConflictLimiter', () => {
  let clock: FakeClock;
  let limiter: EmailConflictLimiter;
  const limiterOf = (requests: number) => {
    const limits = { emailConflicts: { requests, seconds: 3600 } };
    return new EmailConflictLimiter({ limits } as Config, clock);
  };
  beforeEach(() => {
    clock = new FakeClock();
    limiter = limiterOf(LIMIT);
  });

  const taken = () => Promise.resolve('email_taken' as const);
  const created = () => Promise.resolve('client');
  const conflict = async (times: number, account = 'eve') => {
    for (let i = 0; i < times; i++) await limiter.run(account, taken);
  };
  /** A write that ends when it is told to. */
  const open = () => {
    let end: (result: string) => void = () => undefined;
    const result = new Promise<string>((resolve) => (end = resolve));
    return { write: () => result, end };
  };

  it('runs writes until the limit of conflicts, and then none until the window ends', async () => {
    await conflict(LIMIT);
    clock.advance({ seconds: 600 });
    const write = jest.fn(created);
    await expect(limiter.run('eve', write)).rejects.toMatchObject({
      ...TOO_MANY,
      retryAfter: 3000,
    });
    expect(write).not.toHaveBeenCalled();
    expect(await limiter.run('ada', write)).toBe('client');
    clock.advance({ seconds: 3000 });
    expect(await limiter.run('eve', write)).toBe('client');
  });

  it('counts neither successes nor failures of another kind', async () => {
    const broken = () => Promise.reject(new Error('broken'));
    await conflict(LIMIT - 1);
    for (let i = 0; i < 10; i++) {
      await limiter.run('eve', created);
      await expect(limiter.run('eve', broken)).rejects.toThrow('broken');
    }
    expect(await limiter.run('eve', taken)).toBe('email_taken');
    await expect(limiter.run('eve', created)).rejects.toMatchObject(TOO_MANY);
  });

  it('holds parallel writes to the limit', async () => {
    const write = jest.fn(taken);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, () => limiter.run('eve', write)),
    );
    expect(write).toHaveBeenCalledTimes(LIMIT);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(LIMIT);
  });

  it('lets parallel writes that are no conflicts wait for each other, and all run', async () => {
    let running = 0;
    let most = 0;
    const write = async () => {
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      running -= 1;
      return 'client';
    };
    const runs = Array.from({ length: 50 }, () => limiter.run('eve', write));
    expect(await Promise.all(runs)).toEqual(Array(50).fill('client'));
    expect(most).toBe(LIMIT);
  });

  it('lets no account wait for another', async () => {
    const { write, end } = open();
    const runs = Array.from({ length: LIMIT + 1 }, () => limiter.run('eve', write));
    expect(await limiter.run('ada', created)).toBe('client');
    end('client');
    await Promise.all(runs);
  });

  it('runs no write whose deadline has passed while it waited', async () => {
    const { write, end } = open();
    const runs = Array.from({ length: LIMIT }, () => limiter.run('eve', write));
    const late = jest.fn(created);
    const context = { endsAt: performance.now(), whileWaiting: (wait) => wait() } as RequestContext;
    const waiting = requestContext.run(context, () => limiter.run('eve', late));
    end('client');
    await expect(waiting).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE', retryAfter: 1 });
    expect(late).not.toHaveBeenCalled();
    await Promise.all(runs);
  });

  it('limits nothing where the limit is 0', async () => {
    limiter = limiterOf(0);
    await conflict(100);
    expect(await limiter.run('eve', created)).toBe('client');
  });
});
