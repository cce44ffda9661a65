import { setImmediate } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { DeletedLicensesWorker } from './deleted-licenses.worker.js';

/** A worker on a store with this many steps to be done, of which some fail. */
function workerOn(steps: ('removed' | Error)[]) {
  const done: string[] = [];
  const worker = new DeletedLicensesWorker({
    removeSome: async () => {
      const step = steps.shift() ?? 'nothing_left';
      done.push(step instanceof Error ? 'failed' : step);
      if (step instanceof Error) throw step;
      return step;
    },
  });
  return { steps, done, worker };
}

describe('DeletedLicensesWorker', () => {
  beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate'] }));
  afterEach(() => void jest.useRealTimers());

  it('removes in steps what an earlier process has left, and stops at shutdown', async () => {
    const { done, worker } = workerOn(['removed', 'removed']);
    worker.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(20);
    expect(done).toEqual(['removed', 'removed', 'nothing_left']);
    await worker.beforeApplicationShutdown();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(done).toHaveLength(3);
  });

  it('begins at once after a deletion, and otherwise every 30 seconds', async () => {
    const { done, steps, worker } = workerOn([]);
    worker.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(29_999);
    expect(done).toEqual(['nothing_left']);
    steps.push('removed');
    worker.wake();
    await setImmediate();
    expect(done).toEqual(['nothing_left', 'removed']);
    await jest.advanceTimersByTimeAsync(5);
    await jest.advanceTimersByTimeAsync(30_000);
    expect(done.slice(2)).toEqual(['nothing_left', 'nothing_left']);
    await worker.beforeApplicationShutdown();
  });

  it('logs a failure, and tries again after the interval', async () => {
    const error = jest.spyOn(Logger.prototype, 'error').mockImplementation();
    const { done, worker } = workerOn([new Error('the store is gone'), 'removed']);
    worker.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(29_000);
    expect(done).toEqual(['failed']);
    expect(error).toHaveBeenCalledTimes(1);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(done).toEqual(['failed', 'removed']);
    await worker.beforeApplicationShutdown();
  });
});
