import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { ConcurrencyLimiter } from './concurrency-limiter.js';
import { EventLoop } from './event-loop.js';
import { WorkClass } from './work-class.js';
import { Work } from './work.js';

let now: number;
let workClass: WorkClass;
let complete: jest.SpyInstance;
let response: ServerResponse & { closed: boolean };

beforeEach(() => {
  now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  workClass = new WorkClass(
    new EventLoop(),
    {
      maxConcurrency: 256,
      maxOfAddress: 64,
      tickBudget: 200,
      minPerTick: 16,
      slowAfter: 200,
    },
    () => false,
  );
  complete = jest.spyOn(workClass, 'complete');
  response = Object.assign(new EventEmitter(), { closed: false }) as unknown as typeof response;
});
afterEach(() => jest.restoreAllMocks());

/** A wait that ends when the test opens it. */
function gate() {
  let open: () => void = () => undefined;
  const wait = () => new Promise<void>((resolve) => (open = resolve));
  return { wait, open: () => open() };
}

describe('The work for a request', () => {
  it('occupies none while it waits, and its wait does not count as slow', async () => {
    const work = new Work(workClass);
    const { wait, open } = gate();
    now = 10;
    const waiting = work.whileWaiting(wait);
    expect(workClass.inProgress).toBe(0);
    now = 1000;
    open();
    await waiting;
    expect(workClass.inProgress).toBe(1);
    now = 1005;
    work.finish(response);
    expect(complete.mock.calls).toEqual([[15]]);
  });

  it('releases its capacity once where its response is ready before its wait is over', async () => {
    const work = new Work(workClass);
    const { wait, open } = gate();
    now = 10;
    const waiting = work.whileWaiting(wait);
    now = 2800;
    work.finish(response);
    open();
    await waiting;
    expect(workClass.inProgress).toBe(0);
    expect(complete.mock.calls).toEqual([[10]]);
  });

  it('holds its permits until the response is closed', () => {
    const release = jest.fn();
    const work = new Work(workClass);
    work.hold(release);
    work.finish(response);
    expect(release).not.toHaveBeenCalled();
    response.emit('close');
    expect(release).toHaveBeenCalledTimes(1);
  });

  it('releases them when it is finished where the response was closed before', () => {
    const release = jest.fn();
    const work = new Work(workClass);
    work.hold(release);
    response.closed = true;
    response.emit('close');
    expect(release).not.toHaveBeenCalled();
    work.finish(response);
    expect(release).toHaveBeenCalledTimes(1);
  });
});

it('the event loop numbers its ticks, and begins to measure anew in each', () => {
  jest.useFakeTimers({ doNotFake: ['performance'] });
  const loop = new EventLoop();
  loop.onModuleInit();
  now = 150;
  jest.advanceTimersByTime(10);
  expect([loop.tick, loop.elapsed()]).toEqual([1, 0]);
  loop.onApplicationShutdown();
  jest.useRealTimers();
});

it('a limiter of concurrency remembers no key without requests in progress', () => {
  const limiter = new ConcurrencyLimiter(2, 'address');
  const releases = ['ada', 'ada', 'bob'].map((key) => limiter.acquire(key));
  expect(limiter.size).toBe(2);
  releases.forEach((release) => release());
  expect(limiter.size).toBe(0);
});
