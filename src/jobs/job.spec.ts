import { Logger } from '@nestjs/common';
import { DomainError } from '../shared/errors/domain-error.js';
import { Job } from './job.js';

class Steps extends Job {
  readonly step = jest.fn<Promise<boolean>, []>().mockResolvedValue(false);

  constructor() {
    super({ interval: 30_000, pause: 2 });
  }
}

describe('A job', () => {
  let job: Steps;
  beforeEach(() => {
    jest.useFakeTimers();
    job = new Steps();
  });
  afterEach(async () => {
    await job.beforeApplicationShutdown();
    jest.useRealTimers();
  });

  const expectSteps = async (count: number, milliseconds: number) => {
    await jest.advanceTimersByTimeAsync(milliseconds);
    expect(job.step).toHaveBeenCalledTimes(count);
  };

  it('takes steps while there is work, then one per interval, or immediately when woken, even during a step', async () => {
    job.step.mockResolvedValueOnce(true).mockImplementationOnce(async () => {
      job.wake();
      return false;
    });
    job.onApplicationBootstrap();
    await expectSteps(1, 1);
    await expectSteps(3, 1);
    await expectSteps(3, 29_999);
    await expectSteps(4, 1);
    job.wake();
    await expectSteps(5, 0);
  });

  it('stops at shutdown after the step in progress', async () => {
    job.step.mockResolvedValue(true);
    job.onApplicationBootstrap();
    const shutdown = job.beforeApplicationShutdown();
    await expectSteps(1, 60_000);
    await shutdown;
  });

  it('waits for the store without a stack trace during an outage', async () => {
    const [failed, waited] = (['error', 'warn'] as const).map((level) =>
      jest.spyOn(Logger.prototype, level).mockReturnValue(),
    );
    job.step.mockRejectedValueOnce(new DomainError('STORE_UNAVAILABLE'));
    job.onApplicationBootstrap();
    await expectSteps(1, 1);
    expect(waited!.mock.calls).toEqual([['A background job is waiting for the store']]);
    expect(failed).not.toHaveBeenCalled();
    jest.restoreAllMocks();
  });

  it('logs a failure, and retries after the interval', async () => {
    const logged = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
    job.step.mockRejectedValueOnce(new Error('the store is gone'));
    job.onApplicationBootstrap();
    await expectSteps(1, 29_999);
    await expectSteps(2, 1);
    expect(logged).toHaveBeenCalledTimes(1);
    logged.mockRestore();
  });
});
