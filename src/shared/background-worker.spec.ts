import { Logger } from '@nestjs/common';
import { BackgroundWorker } from './background-worker.js';

class Worker extends BackgroundWorker {
  readonly step = jest.fn<Promise<boolean>, []>().mockResolvedValue(false);

  constructor() {
    super({ interval: 30_000, pause: 2 });
  }
}

describe('A worker in the background', () => {
  let worker: Worker;
  beforeEach(() => {
    jest.useFakeTimers();
    worker = new Worker();
  });
  afterEach(async () => {
    await worker.beforeApplicationShutdown();
    jest.useRealTimers();
  });

  const expectSteps = async (count: number, milliseconds: number) => {
    await jest.advanceTimersByTimeAsync(milliseconds);
    expect(worker.step).toHaveBeenCalledTimes(count);
  };

  it('takes steps while there is work, then one at each interval, and at once where it is woken, also during a step', async () => {
    worker.step.mockResolvedValueOnce(true).mockImplementationOnce(async () => {
      worker.wake();
      return false;
    });
    worker.onApplicationBootstrap();
    await expectSteps(1, 1);
    await expectSteps(3, 1);
    await expectSteps(3, 29_999);
    await expectSteps(4, 1);
    worker.wake();
    await expectSteps(5, 0);
  });

  it('stops at shutdown after the step in progress', async () => {
    worker.step.mockResolvedValue(true);
    worker.onApplicationBootstrap();
    const shutdown = worker.beforeApplicationShutdown();
    await expectSteps(1, 60_000);
    await shutdown;
  });

  it('logs a failure, and begins again after the interval', async () => {
    const logged = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
    worker.step.mockRejectedValueOnce(new Error('the store is gone'));
    worker.onApplicationBootstrap();
    await expectSteps(1, 29_999);
    await expectSteps(2, 1);
    expect(logged).toHaveBeenCalledTimes(1);
    logged.mockRestore();
  });
});
