import { type RequestContext, requestContext } from '../shared/request-context.js';
import { KeyedMutex, MAX_WAITING } from './keyed-mutex.js';

describe('KeyedMutex', () => {
  let mutex: KeyedMutex;
  let begun: string[];
  beforeEach(() => {
    mutex = new KeyedMutex();
    begun = [];
  });

  const tick = () => new Promise<void>((resolve) => setImmediate(resolve));
  const run = <T>(key: string, work: () => Promise<T>) => mutex.runExclusive(key, work);
  const runFor = <T>(request: Partial<RequestContext>, work: () => T) =>
    requestContext.run(request as RequestContext, work);
  const noted = (name: string) => async () => void begun.push(name);

  /** Locks a key until the returned function is called. */
  const hold = (key: string) => {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const done = run(key, () => released);
    return () => {
      release();
      return done;
    };
  };
  it('runs work of one key one after the other, in order of arrival', async () => {
    const log: string[] = [];
    const write = (name: string) =>
      run('key', async () => {
        log.push(`${name} begins`);
        await tick();
        log.push(`${name} ends`);
      });
    const names = Array.from({ length: 20 }, (_, index) => `write ${index}`);
    const later = names.map((name) => write(name).then(() => write(`after ${name}`)));
    await Promise.all(later);
    const all = [...names, ...names.map((name) => `after ${name}`)];
    expect(log).toStrictEqual(all.flatMap((name) => [`${name} begins`, `${name} ends`]));
    expect(mutex.size).toBe(0);
  });

  it('runs work of another key at once, and the next one after a failure', async () => {
    const failing = run('key', () => Promise.reject(new Error('failed')));
    const next = run('key', async () => 'next');
    expect(await run('another', async () => 'done')).toBe('done');
    await expect(failing).rejects.toThrow('failed');
    expect(await next).toBe('next');
    expect(mutex.size).toBe(0);
  });

  it('rejects a caller where too many wait for its key, but not for another key', async () => {
    const release = hold('key');
    const waiting = Array.from({ length: MAX_WAITING }, () => run('key', async () => 'done'));
    await expect(run('key', noted('too many'))).rejects.toMatchObject({
      code: 'TOO_MANY_CONCURRENT_REQUESTS',
      rejectedBy: 'record_lock',
      retryAfter: 1,
    });
    await expect(run('another', async () => 'done')).resolves.toBe('done');
    await release();
    expect(new Set(await Promise.all(waiting))).toStrictEqual(new Set(['done']));
    expect(begun).toStrictEqual([]);
  });

  it('rejects a caller that waits at its deadline, and its work never runs', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    try {
      const overloaded = { status: 'rejected', reason: { code: 'OVERLOADED' } };
      const release = runFor({ endsAt: performance.now() + 1_000 }, () => hold('key'));
      const early = runFor({ endsAt: performance.now() + 500 }, () => run('key', noted('early')));
      const late = runFor({ endsAt: performance.now() + 1_000 }, () => run('key', noted('late')));
      jest.advanceTimersByTime(500);
      expect(await Promise.allSettled([early])).toMatchObject([overloaded]);
      await release();
      await late;
      expect(begun).toStrictEqual(['late']);
      expect(mutex.size).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });
});
