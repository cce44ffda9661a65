import { Deadline, type RequestContext, requestContext } from '../shared/request-context.js';
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
  /** Runs work that needs the key, for a request that has a minute left. */
  const runFor = <T>(fields: Partial<RequestContext>, work: () => Promise<T>) => {
    const request = { requestId: 'id', address: '127.0.0.1', endsAt: performance.now() + 60_000 };
    const whileWaiting: RequestContext['whileWaiting'] = (wait) => wait();
    const state = { isLicenseCheck: false, isOverloaded: () => false };
    const context = { ...request, ...state, whileWaiting, ...fields };
    return requestContext.run(context, () => run('key', work));
  };
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

  it('runs 50 writes of one key one after the other, in order', async () => {
    const log: string[] = [];
    const names = Array.from({ length: 50 }, (_, index) => `write ${index}`);
    const results = await Promise.all(
      names.map((name) =>
        run('key', async () => {
          log.push(`${name} begins`);
          await tick();
          log.push(`${name} ends`);
          return name;
        }),
      ),
    );
    expect(results).toStrictEqual(names);
    expect(log).toStrictEqual(names.flatMap((name) => [`${name} begins`, `${name} ends`]));
  });

  it('never runs two at once, even where callers arrive while others finish', async () => {
    let running = 0;
    const work = async () => {
      expect(++running).toBe(1);
      await tick();
      running--;
    };
    const first = Array.from({ length: 3 }, () => run('key', work));
    for (const one of first) {
      await one;
      first.push(...(first.length < 20 ? [run('key', work), run('key', work)] : []));
    }
    await Promise.all(first);
    expect(mutex.size).toBe(0);
  });

  it('keeps a key locked while it passes to a waiter', async () => {
    const release = hold('key');
    const releaseNext = hold('key');
    await release();
    const last = run('key', noted('last'));
    await tick();
    expect(begun).toStrictEqual([]);
    await releaseNext();
    await last;
  });

  it('runs work of another key at once', async () => {
    hold('one');
    await expect(run('another', async () => 'done')).resolves.toBe('done');
  });

  it('runs the next one after a failure, and forgets a key that is no longer in use', async () => {
    const failure = new Error('failed');
    const works = [tick, () => Promise.reject(failure), async () => 'done'];
    const all = Promise.allSettled(works.map((work) => run<unknown>('key', work)));
    expect(mutex.size).toBe(1);
    expect((await all).slice(1)).toStrictEqual([
      { status: 'rejected', reason: failure },
      { status: 'fulfilled', value: 'done' },
    ]);
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
    await expect(run('key', async () => 'done')).resolves.toBe('done');
    expect(begun).toStrictEqual([]);
  });

  describe('a waiter past its deadline', () => {
    beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate'] }));
    afterEach(() => void jest.useRealTimers());

    const UNAVAILABLE = { code: 'STORE_UNAVAILABLE' };

    it('is rejected at once, and its work never runs', async () => {
      const release = hold('key');
      const late = runFor({ endsAt: performance.now() + 500 }, noted('late'));
      const next = runFor({}, noted('next'));
      jest.advanceTimersByTime(500);
      await expect(late).rejects.toMatchObject(UNAVAILABLE);
      await release();
      await next;
      expect(begun).toStrictEqual(['next']);
    });

    it('leaves its place in the queue to others', async () => {
      const release = hold('key');
      const late = Array.from({ length: MAX_WAITING }, () => run('key', noted('late')));
      jest.advanceTimersByTime(new Deadline().milliseconds);
      const rejected = { status: 'rejected', reason: UNAVAILABLE };
      expect(await Promise.allSettled(late)).toMatchObject(late.map(() => rejected));
      const next = run('key', noted('next'));
      await release();
      await next;
      expect(begun).toStrictEqual(['next']);
      expect(mutex.size).toBe(0);
    });
  });

  describe('a request', () => {
    it('is rejected after 100 ms under overload, whenever that begins, and its work never runs', async () => {
      jest.useFakeTimers({ doNotFake: ['setImmediate'] });
      let isOverloaded = false;
      const release = hold('key');
      const late = runFor({ isOverloaded: () => isOverloaded }, noted('late'));
      const next = run('key', noted('next'));
      jest.advanceTimersByTime(1000);
      isOverloaded = true;
      jest.advanceTimersByTime(100);
      jest.useRealTimers();
      await expect(late).rejects.toMatchObject({ code: 'OVERLOADED', retryAfter: 1 });
      await release();
      await next;
      expect(begun).toStrictEqual(['next']);
      expect(mutex.size).toBe(0);
    });

    it('releases its capacity while it waits, and only then', async () => {
      const log: string[] = [];
      const whileWaiting: RequestContext['whileWaiting'] = async (wait) => {
        log.push('capacity released');
        const result = await wait();
        log.push('capacity acquired');
        return result;
      };
      const note = (text: string) => async () => void log.push(text);
      await runFor({ whileWaiting }, note('did not wait'));
      const release = hold('key');
      const waiting = runFor({ whileWaiting }, note('waited'));
      log.push('key released');
      await release();
      await waiting;
      expect(log).toStrictEqual([
        'did not wait',
        'capacity released',
        'key released',
        'capacity acquired',
        'waited',
      ]);
    });

    it('releases the key where it fails to acquire its capacity again', async () => {
      const release = hold('key');
      const whileWaiting = async (wait: () => Promise<unknown>) => {
        await wait();
        throw new Error('no capacity');
      };
      const failing = runFor({ whileWaiting }, noted('failing'));
      const next = run('key', noted('next'));
      await Promise.all([release(), expect(failing).rejects.toThrow('no capacity')]);
      await next;
      expect(begun).toStrictEqual(['next']);
      expect(mutex.size).toBe(0);
    });
  });
});
