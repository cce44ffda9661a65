import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { EventLoop } from './event-loop.js';
import { Work } from './work.js';
import { WorkClass } from './work-class.js';

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
  it('occupies capacity from its creation until its response is ready', () => {
    const work = new Work(workClass);
    expect(workClass.inProgress).toBe(1);
    now = 30;
    work.finish(response);
    work.finish(response);
    expect(workClass.inProgress).toBe(0);
    expect(complete.mock.calls).toEqual([[30]]);
  });

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

  it('returns the result of a wait, and rethrows its error', async () => {
    const work = new Work(workClass);
    await expect(work.whileWaiting(() => Promise.resolve('lock'))).resolves.toBe('lock');
    await expect(work.whileWaiting(() => Promise.reject(new Error('late')))).rejects.toThrow();
    expect(workClass.inProgress).toBe(1);
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
